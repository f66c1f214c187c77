import { Arg, Ctx, ID, Mutation, Resolver, Root, Subscription } from 'type-graphql';
import { cancelReservation } from '../../commands/cancel-reservation.ts';
import { reserve } from '../../commands/reserve.ts';
import { invariant } from '../../domain/failures.ts';
import { type ApiContext, callerOf, renewLoaders } from '../context.ts';
import { warningsOf } from '../directive/script-directive.type.ts';
import { decodeId } from '../shared/global-id.ts';
import { CancelInput } from '../shared/idempotent.input.ts';
import { answer } from '../shared/payload.ts';
import { followChanges } from '../shared/subscriptions.ts';
import { ReserveInput, toReserveCommand } from './reservation.input.ts';
import { bestOfferOf, CancelReservationPayload, ReservePayload } from './reservation.payload.ts';
import { Reservation } from './reservation.type.ts';
import { reservationCost } from './reservation-offer.resolver.ts';

/** What is asked to be done with reservations, and what becomes of them. */
@Resolver()
export class ReservationChangesResolver {
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
      async () => {
        const reserved = await reserve(context.commands, caller, toReserveCommand(input));
        return { ...(await reservationPayload(context, reserved)), warnings: warningsOf([input]) };
      },
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
    const row = await context.loaders.reservation.load(changedId);
    invariant(row, `reservation ${changedId} changed and is gone`);
    return new Reservation(row);
  }
}

async function reservationPayload(
  context: ApiContext,
  { reservationId }: { reservationId: string },
): Promise<{ reservation: Reservation | null }> {
  renewLoaders(context);
  const row = await context.loaders.reservation.load(reservationId);
  return { reservation: row && new Reservation(row) };
}
