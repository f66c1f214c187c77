import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { invariant } from '../../domain/failures.ts';
import type { ReservationState } from '../../domain/reservation.ts';
import { listReservations } from '../../store/reservations.ts';
import { CoAllocation } from '../co-allocation/co-allocation.type.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { Charge, Job } from '../job/job.type.ts';
import { type Connection, PageArgs, pageComplexity, toConnection, toPageRequest } from '../shared/connection.ts';
import { ReservationStateEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { findNode } from '../shared/node.resolver.ts';
import { DateTime } from '../shared/scalars.ts';
import { Site } from '../site/site.type.ts';
import { Reservation, ReservationConnection } from './reservation.type.ts';

@Resolver(() => Reservation)
export class ReservationResolver {
  @Query(() => Reservation, {
    nullable: true,
    description: 'One reservation of the caller; null when it can see no such one.',
  })
  async reservation(
    @Arg('id', () => ID, { description: 'Global id.' }) id: string,
    @Ctx() context: ApiContext,
  ): Promise<Reservation | null> {
    callerOf(context);
    return (await findNode(context, id, 'Reservation')) as Reservation | null;
  }

  @Query(() => ReservationConnection, {
    complexity: pageComplexity,
    description: "The reservations of the caller's tenant, legs of co-allocations too, newest first.",
  })
  async reservations(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('states', () => [ReservationStateEnum], { nullable: true, description: 'Only those in one of these states.' })
    states: ReservationState[] | null,
    @Ctx() context: ApiContext,
  ): Promise<Connection<Reservation>> {
    const { tenantId } = callerOf(context);
    const request = toPageRequest(page);
    const rows = await listReservations(context.commands.database.db, { tenantId, states: states ?? null }, request);
    return toConnection(rows, request, (row) => new Reservation(row));
  }

  @FieldResolver(() => Job, { description: 'The job that keeps it.' })
  async job(@Root() { row }: Reservation, @Ctx() context: ApiContext): Promise<Job> {
    return new Job(await bodyOf(row.executionId, context));
  }

  @FieldResolver(() => DateTime, { nullable: true, description: 'When its job is to be handed to the site.' })
  async submitAt(@Root() { row }: Reservation, @Ctx() context: ApiContext): Promise<Date | null> {
    return toMoment((await bodyOf(row.executionId, context)).submitAt);
  }

  @FieldResolver(() => Site, { nullable: true, description: 'Where it is promised.' })
  async site(@Root() { row }: Reservation, @Ctx() context: ApiContext): Promise<Site | null> {
    const { siteId } = await bodyOf(row.executionId, context);
    const site = siteId === null ? null : await context.loaders.site.load(siteId);
    return site && new Site(site);
  }

  @FieldResolver(() => CoAllocation, { nullable: true, description: 'The group it is a leg of.' })
  async coAllocation(@Root() { row }: Reservation, @Ctx() { loaders }: ApiContext): Promise<CoAllocation | null> {
    const group = row.coAllocationId === null ? null : await loaders.coAllocation.load(row.coAllocationId);
    return group && new CoAllocation(group);
  }

  @FieldResolver(() => [Charge], { description: 'What it cost, once its job is settled.' })
  async charges(@Root() { row }: Reservation, @Ctx() { loaders }: ApiContext): Promise<Charge[]> {
    return (await loaders.chargesOf.load(row.executionId)).map((charge) => new Charge(charge));
  }
}

async function bodyOf(executionId: string, { loaders }: ApiContext) {
  const row = await loaders.execution.load(executionId);
  invariant(row, `a reservation names the unknown execution ${executionId}`);
  return row;
}
