import { graphql, type ResultOf } from '../../api/graphql.ts';

/** The newest promises, legs of co-allocations among them. */
export const RESERVATIONS = graphql(`
  query Reservations {
    reservations(first: 100) {
      totalCount
      edges {
        node {
          id state startAt submitAt probability promisedProbability currentProbability recomputedAt decidedAt leg
          expectedPaddingProcessorSeconds site { name } coAllocation { id ruleText state }
          job { id name processors walltimeSeconds submittedAt startedAt endedAt }
        }
      }
    }
  }
`);

/** Any promise of the tenant changed. */
export const RESERVATION_CHANGED = graphql(`subscription ReservationsChanged { reservationChanged { id } }`);

export type ReservationRow = ResultOf<typeof RESERVATIONS>['reservations']['edges'][number]['node'];
