import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { cancelReservation } from '../../commands/cancel-reservation.ts';
import { assertMay } from '../../commands/permissions.ts';
import { gatherOffers } from '../../commands/reservation-offers.ts';
import { checkReserveInput, reserve } from '../../commands/reserve.ts';
import { invariant } from '../../domain/failures.ts';
import type { ReservationState } from '../../domain/reservation.ts';
import { listReservations } from '../../store/reservations.ts';
import { CoAllocation } from '../co-allocation/co-allocation.type.ts';
import { type ApiContext, callerOf, renewLoaders } from '../context.ts';
import { Charge, Job } from '../job/job.type.ts';
import { trajectoriesCost } from '../plan/plan.resolver.ts';
import { type Connection, PageArgs, pageComplexity, toConnection, toPageRequest } from '../shared/connection.ts';
import { ReservationStateEnum } from '../shared/enums.ts';
import { decodeId } from '../shared/global-id.ts';
import { CancelInput } from '../shared/idempotent.input.ts';
import { toMoment } from '../shared/moments.ts';
import { findNode } from '../shared/node.resolver.ts';
import { answer } from '../shared/payload.ts';
import { DateTime } from '../shared/scalars.ts';
import { followChanges } from '../shared/subscriptions.ts';
import { Site } from '../site/site.type.ts';
import { ReserveInput, toReserveCommand } from './reservation.input.ts';
import { bestOfferOf, CancelReservationPayload, ReservePayload } from './reservation.payload.ts';
import { Reservation, ReservationConnection } from './reservation.type.ts';
import { ReservationOffer } from './reservation-offer.type.ts';

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

  @Query(() => ReservationOffer, {
    complexity: reservationCost,
    description:
      'What reserve would answer, without promising anything: the promise that costs least, or the best refusal.',
  })
  async reservationOffer(
    @Arg('input', () => ReserveInput, { description: 'The job and its moment.' }) input: ReserveInput,
    @Ctx() context: ApiContext,
  ): Promise<ReservationOffer> {
    const caller = callerOf(context);
    assertMay(caller, 'reservationOffer');
    const { commands } = context;
    const now = commands.clock.now();
    const terms = toReserveCommand(input);
    checkReserveInput(commands, terms, now);
    const { offers, promise, best } = await gatherOffers(commands, caller, terms, 'input', now);
    const chosenId = promise?.site.id ?? best?.siteId;
    const chosen = offers.find(({ site }) => site.id === chosenId) ?? offers[0];
    invariant(chosen, 'there is no offer of any site');
    const others = offers.filter((offer) => offer !== chosen);
    return new ReservationOffer(chosen, others);
  }

  @Mutation(() => ReservePayload, {
    complexity: reservationCost,
    description: 'Promises a job running at a certain moment, at the site where that is expected to cost least.',
  })
  reserve(
    @Arg('input', () => ReserveInput, { description: 'The job and its moment.' }) input: ReserveInput,
    @Ctx() context: ApiContext,
  ): Promise<ReservePayload> {
    const caller = callerOf(context);
    return answer<ReservePayload>(
      context,
      async () => reservationPayload(context, await reserve(context.commands, caller, toReserveCommand(input))),
      (error) => ({ bestOffer: bestOfferOf(error) }),
    );
  }

  @Mutation(() => CancelReservationPayload, {
    complexity: 50,
    description: 'Asks for a reservation and its job to be cancelled.',
  })
  cancelReservation(
    @Arg('input', () => CancelInput, { description: 'The reservation.' }) input: CancelInput,
    @Ctx() context: ApiContext,
  ): Promise<CancelReservationPayload> {
    const caller = callerOf(context);
    return answer(context, async () => {
      const id = decodeId(input.id, 'Reservation', 'input.id');
      const command = { id, idempotencyKey: input.idempotencyKey ?? null };
      return reservationPayload(context, await cancelReservation(context.commands, caller, command));
    });
  }

  @Subscription(() => Reservation, {
    subscribe: followChanges('Reservation', 'RESERVATION'),
    description:
      'A reservation, each time it changes; with an id at once and from then on until it is over and charged, which is told once. All of the tenant without one.',
  })
  async reservationChanged(
    @Root() changedId: string,
    @Arg('id', () => ID, { nullable: true, description: 'Global id.' }) _id: string | null,
    @Ctx() context: ApiContext,
  ): Promise<Reservation> {
    await context.recheck();
    const row = await context.loaders.reservation.load(changedId);
    invariant(row, `reservation ${changedId} changed and is gone`);
    return new Reservation(row);
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

async function reservationPayload(
  context: ApiContext,
  { reservationId }: { reservationId: string },
): Promise<{ reservation: Reservation | null }> {
  renewLoaders(context);
  const row = await context.loaders.reservation.load(reservationId);
  return { reservation: row && new Reservation(row) };
}

function reservationCost({
  args,
  childComplexity,
}: {
  args: { input?: ReserveInput };
  childComplexity: number;
}): number {
  return trajectoriesCost(args.input ? [args.input] : []) + childComplexity;
}
