import type { EpochSeconds } from '../../domain/clock.ts';
import type { Trajectory } from '../../domain/plan.ts';
import { aimedProbability } from '../../plan/aim.ts';
import { holdPriceSeconds } from '../../plan/price.ts';
import { withinCap } from '../../plan/reserve.ts';
import { latestPointReaching, mostProbablePoint } from '../../plan/trajectory.ts';
import type { ReservedWork } from './promising-site.ts';
import { VarqReservation } from './varq-reservation.ts';
import type { VarqSite } from './varq-site.ts';
import type { ReservationTally } from './varq-tally.ts';

/** What is wanted of a reservation. */
export interface VarqWish {
  readonly work: ReservedWork;
  readonly probability: number;
  /** Added to the probability that is aimed at, as promises so far were kept. */
  readonly margin: number;
  /** Most that is paid in the worst case, in multiples of the job's own work; 0 for any charge. */
  readonly cap: number;
  /** Most that holding processors may cost on average, in multiples of the job's own work; 0 for any. */
  readonly paddingCap: number;
  /** How often the submission time is chosen anew while a promise waits. */
  readonly recomputeSeconds: number;
}

/** A reservation that was granted. */
export interface VarqPromise {
  readonly reservation: VarqReservation;
  /** Its probability when it was promised. */
  readonly forecast: number;
  /** What there was to choose from. */
  readonly trajectory: Trajectory;
}

/** Asks a site for a reservation, now. Null when it is refused or withheld, which the tally counts. */
export function askFor(site: VarqSite, wish: VarqWish, tally: ReservationTally): VarqPromise | null {
  const { work, probability, margin, cap, paddingCap, recomputeSeconds } = wish;
  const now: EpochSeconds = site.now;
  if (site.withholds(work)) {
    tally.addWithheld(now);
    return null;
  }
  const ownWork = work.processors * work.runSeconds;
  const caps = {
    maxChargeProcessorSeconds: cap > 0 ? cap * ownWork : null,
    maxExpectedPaddingProcessorSeconds: paddingCap > 0 ? paddingCap * ownWork : null,
  };
  const limits = { processors: work.processors, ...caps };
  const trajectory = withinCap(limits, site.trajectoryOf(work));
  const besideHeld = withinCap(limits, site.trajectoryBesideHeld(work) ?? trajectory);
  const aim = aimedProbability(probability, margin);
  const point = latestPointReaching(trajectory, aim);
  if (!point || !latestPointReaching(besideHeld, aim)) {
    tally.addRefusal(mostProbablePoint(besideHeld)?.probability ?? 0, now);
    return null;
  }
  const priceSeconds = holdPriceSeconds(trajectory, { probability, margin, isCapped: paddingCap > 0 });
  const sought = { work, point, probability, aimedProbability: aim, priceSeconds, coAllocationId: null };
  const terms = { ...sought, ...caps, recomputeSeconds };
  return { reservation: new VarqReservation(site, terms, now), forecast: point.probability, trajectory };
}
