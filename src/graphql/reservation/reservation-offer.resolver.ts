import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { assertMay } from '../../commands/carry-out/permissions.ts';
import { gatherOffers } from '../../commands/offers/reservation-offers.ts';
import { checkReserveInput } from '../../commands/reserve.ts';
import { invariant } from '../../domain/failures.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { trajectoriesCost } from '../plan/plan-cost.ts';
import { ReserveInput, toReserveCommand } from './reservation.input.ts';
import { ReservationOffer } from './reservation-offer.type.ts';

@Resolver()
export class ReservationOfferResolver {
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
}

/** What it costs to look for a promise at each site that a reservation may go to. */
export function reservationCost({
  args,
  childComplexity,
}: {
  args: { input?: ReserveInput };
  childComplexity: number;
}): number {
  return trajectoriesCost(args.input ? [args.input] : []) + childComplexity;
}
