import type { ChargeForecast, Trajectory, TrajectoryPoint } from './plan.ts';

/** A term of a reservation that can be why it is refused. */
export type UnmetReservationTerm = 'probability' | 'maxPaddingProcessorSeconds' | 'walltimeSeconds' | 'startAt';

/**
 * The answer to a request for a reservation: a promise, or a refusal that names the best probability on offer and when.
 */
export type ReservationOffer =
  | {
      readonly kind: 'PROMISE';
      readonly point: TrajectoryPoint;
      readonly charge: ChargeForecast;
      /** What certainty is worth to it from now on, see `holdPriceSeconds`. */
      readonly holdPriceSeconds: number;
      readonly trajectory: Trajectory;
    }
  | {
      readonly kind: 'REFUSAL';
      /** The term of the request that stands in the way. */
      readonly unmet: UnmetReservationTerm;
      /** Null when there is no candidate submission time at all. */
      readonly best: TrajectoryPoint | null;
      readonly reason: string;
      /** Whether the site has left the range it is known in too lately for anything to be promised. */
      readonly isWithheld: boolean;
      readonly trajectory: Trajectory;
    };
