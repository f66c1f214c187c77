import { Arg, Ctx, FieldResolver, Int, Query, Resolver } from 'type-graphql';
import { CallerError } from '../../domain/failures.ts';
import { countExecutionsByState } from '../../store/executions.ts';
import { countDueTurns, countEnds, listMonthlyCharges, lookAtOutbox } from '../../store/operations.ts';
import { listTokens } from '../../store/principals.ts';
import { type ApiContext, callerOf } from '../context.ts';
import {
  EndsAtSite,
  JobsInState,
  MonthlyCharge,
  Operations,
  OutboxDepth,
  TokenOverview,
  WorkerQueue,
} from './operations.type.ts';

const MOST_TOKENS = 500;
const MOST_MONTHS = 24;
const MOST_HOURS = 168;
const HOUR_SECONDS = 3600;

@Resolver(() => Operations)
export class OperationsResolver {
  @Query(() => Operations, {
    nullable: true,
    complexity: 10,
    description: 'How the deployment runs, over all tenants. For admins; null for others.',
  })
  operations(@Ctx() context: ApiContext): Operations | null {
    return callerOf(context).role === 'ADMIN' ? new Operations() : null;
  }

  @FieldResolver(() => [TokenOverview], {
    complexity: ({ args: { last }, childComplexity }) => 10 + (Math.max(1, last) * childComplexity) / 10,
    description: 'The newest bearer tokens, newest first, those that open no door any more among them.',
  })
  async tokens(
    @Arg('last', () => Int, { defaultValue: 100, description: `How many, at most ${MOST_TOKENS}.` }) last: number,
    @Ctx() { commands: { database, clock } }: ApiContext,
  ): Promise<TokenOverview[]> {
    assertWithin('last', last, MOST_TOKENS);
    const now = clock.now();
    const tokens = await listTokens(database.db, { tenant: null, all: true, now, limit: last });
    return tokens.map((token) => new TokenOverview(token, now));
  }

  @FieldResolver(() => [MonthlyCharge], {
    complexity: ({ args: { months }, childComplexity }) => 100 + Math.max(1, months) * childComplexity,
    description: 'The charge ledger by month (UTC), tenant and kind, oldest first.',
  })
  async charges(
    @Arg('months', () => Int, {
      defaultValue: 6,
      description: `How many months, this one among them, at most ${MOST_MONTHS}.`,
    })
    months: number,
    @Ctx() { commands: { database, clock } }: ApiContext,
  ): Promise<MonthlyCharge[]> {
    assertWithin('months', months, MOST_MONTHS);
    const now = new Date(clock.now() * 1000);
    const since = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1), 1) / 1000;
    return (await listMonthlyCharges(database.db, since)).map((row) => new MonthlyCharge(row));
  }

  @FieldResolver(() => [JobsInState], { complexity: 20, description: 'Jobs by state, bodies of reservations too.' })
  jobs(@Ctx() { commands }: ApiContext): Promise<JobsInState[]> {
    return countExecutionsByState(commands.database.db);
  }

  @FieldResolver(() => [WorkerQueue], { complexity: 20, description: 'What waits for workers.' })
  async workerQueues(@Ctx() { commands: { database, clock } }: ApiContext): Promise<WorkerQueue[]> {
    return (await countDueTurns(database.db, clock.now())).map((row) => new WorkerQueue(row));
  }

  @FieldResolver(() => OutboxDepth, { complexity: 5, description: 'What waits to be put into the queue of wake-ups.' })
  outbox(@Ctx() { commands }: ApiContext): Promise<OutboxDepth> {
    return lookAtOutbox(commands.database.db);
  }

  @FieldResolver(() => [EndsAtSite], {
    complexity: ({ childComplexity }) => 50 + 20 * childComplexity,
    description: 'How jobs have ended lately by site, most of them first.',
  })
  async ends(
    @Arg('hours', () => Int, { defaultValue: 24, description: `How far back, at most ${MOST_HOURS}.` }) hours: number,
    @Ctx() { commands: { database, clock } }: ApiContext,
  ): Promise<EndsAtSite[]> {
    assertWithin('hours', hours, MOST_HOURS);
    const rows = await countEnds(database.db, clock.now() - hours * HOUR_SECONDS);
    return rows.map((row) => new EndsAtSite(row));
  }
}

/** @throws CallerError INVALID unless a number lies between 1 and the most */
function assertWithin(field: string, value: number, most: number): void {
  if (value >= 1 && value <= most) return;
  throw new CallerError('INVALID', field, `${field} must lie between 1 and ${most}, got ${value}`);
}
