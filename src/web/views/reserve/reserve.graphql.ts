import { graphql, type ResultOf } from '../../api/graphql.ts';

const OFFER = graphql(`
  fragment Offer on ReservationOffer @_unmask {
    site { id name } kind promisedProbability reason withheld
    point { submitAt probability walltimeSeconds }
    charge { neededProcessorSeconds expectedPaddingProcessorSeconds worstPaddingProcessorSeconds }
    outsideKnownRange { explanation }
  }
`);

/** What would be promised, and where else. */
export const OFFERS = graphql(
  `query Offers($input: ReserveInput!) {
    reservationOffer(input: $input) {
      ...Offer
      trajectory { submitAt probability }
      others { ...Offer }
    }
  }`,
  [OFFER],
);

/** The same promise at other probabilities. */
export const PRICES = graphql(
  `query Prices($half: ReserveInput!, $eighty: ReserveInput!, $ninety: ReserveInput!, $surest: ReserveInput!) {
    half: reservationOffer(input: $half) { ...Offer }
    eighty: reservationOffer(input: $eighty) { ...Offer }
    ninety: reservationOffer(input: $ninety) { ...Offer }
    surest: reservationOffer(input: $surest) { ...Offer }
  }`,
  [OFFER],
);

/** One start time of the calendar. */
export const ONE_OFFER = graphql(
  `query OneOffer($input: ReserveInput!) { reservationOffer(input: $input) { ...Offer } }`,
  [OFFER],
);

/** Six of them; more would cost more than one question may. */
export const SIX_OFFERS = graphql(
  `query SixOffers(
    $a: ReserveInput!, $b: ReserveInput!, $c: ReserveInput!, $d: ReserveInput!, $e: ReserveInput!, $f: ReserveInput!
  ) {
    a: reservationOffer(input: $a) { ...Offer }
    b: reservationOffer(input: $b) { ...Offer }
    c: reservationOffer(input: $c) { ...Offer }
    d: reservationOffer(input: $d) { ...Offer }
    e: reservationOffer(input: $e) { ...Offer }
    f: reservationOffer(input: $f) { ...Offer }
  }`,
  [OFFER],
);

/** When it would be over if it were submitted as soon as possible, by its size. */
export const FINISH_BY_SIZE = graphql(`
  query FinishBySize($input: PlanInput!) {
    plan(input: $input) {
      madeAt
      finishBySize { site { id name } processors finishAt lowAt highAt chargeProcessorSeconds isChosen walltimeSeconds }
    }
  }
`);

/** Makes the promise. */
export const RESERVE = graphql(`
  mutation Reserve($input: ReserveInput!) {
    reserve(input: $input) {
      reservation { id promisedProbability job { id } site { name } submitAt }
      userErrors { code field message }
    }
  }
`);

export type OfferRow = ResultOf<typeof OFFER>;
export type SizedFinish = ResultOf<typeof FINISH_BY_SIZE>['plan']['finishBySize'][number];
