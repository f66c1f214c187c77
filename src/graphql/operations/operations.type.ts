import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { ChargeKind } from '../../domain/charge.ts';
import type { ExecutionOutcome, ExecutionState } from '../../domain/execution.ts';
import type { DueTurns, EndsAtSite as EndsRow, MonthlyCharge as MonthlyChargeRow } from '../../store/operations.ts';
import type { ListedToken } from '../../store/principals.ts';
import { ChargeKindEnum, JobOutcomeEnum, JobStateEnum, RoleEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

/** How the deployment runs. It has nothing of its own: each of its parts is read when it is asked for. */
@ObjectType({ description: 'How the deployment runs, over all tenants. For admins.' })
export class Operations {}

@ObjectType({ description: 'A bearer token, without its text, which is nowhere kept.' })
export class TokenOverview {
  constructor(
    private readonly row: ListedToken,
    private readonly now: number,
  ) {}

  @Field(() => String, { description: 'Its id, by which `gridcast tokens revoke` knows it.' })
  get id(): string {
    return this.row.id;
  }

  @Field(() => String, { description: 'Name of the tenant.' })
  get tenant(): string {
    return this.row.tenant;
  }

  @Field(() => String, { description: 'Name of the person or program that it stands for.' })
  get principal(): string {
    return this.row.principal;
  }

  @Field(() => RoleEnum, { description: 'What its bearer may do.' })
  get role(): ListedToken['role'] {
    return this.row.role;
  }

  @Field(() => Boolean, { description: 'Whether it opens a door: it is neither revoked nor expired.' })
  get isGood(): boolean {
    const { revokedAt, expiresAt } = this.row;
    return revokedAt === null && (expiresAt === null || expiresAt > this.now);
  }

  @Field(() => DateTime, { description: 'When it was made.' })
  get createdAt(): Date {
    return toMoment(this.row.createdAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was last used, to the minute; null for never.' })
  get lastUsedAt(): Date | null {
    return toMoment(this.row.lastUsedAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it expires; null for never.' })
  get expiresAt(): Date | null {
    return toMoment(this.row.expiresAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was revoked; null while it is not.' })
  get revokedAt(): Date | null {
    return toMoment(this.row.revokedAt);
  }
}

@ObjectType({ description: 'What a tenant was charged for one kind of use in one month (UTC).' })
export class MonthlyCharge {
  constructor(private readonly row: MonthlyChargeRow) {}

  @Field(() => DateTime, { description: 'When the month begins.' })
  get monthStartsAt(): Date {
    return toMoment(this.row.monthStartsAt);
  }

  @Field(() => String, { description: 'Name of the tenant.' })
  get tenant(): string {
    return this.row.tenant;
  }

  @Field(() => ChargeKindEnum, { description: 'What it was spent on.' })
  get kind(): ChargeKind {
    return this.row.kind;
  }

  @Field(() => Float, { description: 'Processors times seconds.' })
  get processorSeconds(): number {
    return this.row.processorSeconds;
  }

  @Field(() => Int, { description: 'Entries of the ledger.' })
  get count(): number {
    return this.row.count;
  }
}

@ObjectType({ description: 'Jobs in one state.' })
export class JobsInState {
  @Field(() => JobStateEnum, { description: 'The state.' })
  state!: ExecutionState;

  @Field(() => Int, { description: 'How many there are.' })
  count!: number;
}

@ObjectType({ description: 'What waits for workers, of one kind of row.' })
export class WorkerQueue {
  constructor(private readonly row: DueTurns) {}

  @Field(() => String, { description: 'EXECUTION, SITE, CO_ALLOCATION, JOB_GROUP or BULK_CANCEL.' })
  get kind(): string {
    return this.row.kind;
  }

  @Field(() => Int, { description: 'How many want a turn by now and have none.' })
  get due(): number {
    return this.row.due;
  }

  @Field(() => Float, { description: "How long the first of them has wanted it, by the service's clock." })
  get lagSeconds(): number {
    return this.row.lagSeconds;
  }

  @Field(() => Int, { description: 'How many have their turn just now.' })
  get underWay(): number {
    return this.row.underWay;
  }
}

@ObjectType({ description: 'Wake-ups that were written down and are not in the queue of wake-ups yet.' })
export class OutboxDepth {
  @Field(() => Int, { description: 'How many there are.' })
  count!: number;

  @Field(() => Float, { description: 'Wall time since the first of them was written down; 0 for none.' })
  oldestSeconds!: number;
}

@ObjectType({ description: 'How many jobs ended in one way at one site.' })
export class EndsAtSite {
  constructor(private readonly row: EndsRow) {}

  @Field(() => String, { nullable: true, description: 'Name of the site; null for jobs that never had one.' })
  get site(): string | null {
    return this.row.site;
  }

  @Field(() => JobOutcomeEnum, { description: 'How they ended.' })
  get outcome(): ExecutionOutcome {
    return this.row.outcome;
  }

  @Field(() => Int, { description: 'How many.' })
  get count(): number {
    return this.row.count;
  }
}
