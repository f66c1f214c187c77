import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { aimedProbability, startingMargin } from './aim.ts';
import { mostProbablePoint } from './trajectory.ts';

/** A promise that is asked for, and how far above it to aim. */
export interface AimedPromise {
  readonly probability: number;
  /** From `marginAfter`. */
  readonly margin: number;
  /** Whether what holding may be expected to cost is bounded, so that the price need not bound it; not unless told. */
  readonly isCapped?: boolean;
}

/**
 * What certainty is worth to the keeper of a promise: the seconds of holding processors that are paid for a probability
 * of 1 in place of 0.
 *
 * A promise costs least when certainty has the same price in every state of its site. So the price is read once, off
 * the trajectory on which the promise is made: where the aim is just reached, or at the most probable point where none
 * reaches it. It then stays. It is lower where more promises were kept than made, which is when the margin has fallen.
 * No price is below half an hour: nobody is late on purpose for less. Where a cap bounds what holding may be expected
 * to cost, the price is higher the more is promised above .75, at .95 four times as high: within the cap that costs
 * little.
 *
 * Source: Lagrangian relaxation of a chance constraint; Altman, Constrained Markov Decision Processes, 1999, section 3.
 */
export function holdPriceSeconds(trajectory: Trajectory, { probability, margin, isCapped }: AimedPromise): number {
  const most = mostProbablePoint(trajectory)?.probability ?? 0;
  const reached = Math.min(aimedProbability(probability, margin), most);
  const cheapest = [...cheapestByProbability(trajectory).values()];
  const sure = cheapest.filter(({ probability }) => probability >= reached);
  const unsure = cheapest.filter(({ probability }) => probability < reached);
  const priceOf = (point: TrajectoryPoint) => Math.max(0, ...unsure.map((other) => slopeBetween(other, point)));
  const learned = Math.exp(STEEPNESS * Math.min(0, margin - startingMargin(probability)));
  const worth = isCapped ? MORE_WITHIN_A_CAP ** Math.max(0, probability - USUALLY_SURE) : 1;
  return Math.max(LEAST_PRICE_SECONDS, worth * learned * Math.min(...sure.map(priceOf)));
}

/** The submission time that is worth most at a price, the latest of equals; null for an empty trajectory. */
export function mostWorthPoint(trajectory: Trajectory, priceSeconds: number): TrajectoryPoint | null {
  return trajectory.reduce<TrajectoryPoint | null>(
    (best, point) => (best === null || worthOf(point, priceSeconds) >= worthOf(best, priceSeconds) ? point : best),
    null,
  );
}

/** A job that started early and holds its processors. */
export interface HoldingJob {
  readonly priceSeconds: number;
  /** How much longer it will hold them before they are needed. */
  readonly holdSeconds: number;
  /** Shortest hold that is worth another submission. */
  readonly leastGainSeconds: number;
  /** How often it has given them back before. */
  readonly releases: number;
}

/**
 * When to submit a job again that is to give its processors back now, because running then is so likely that holding on
 * is not worth its price; null when it should go on holding them.
 * @param trajectory from now on, of a site without that job
 */
export function pointAfterRelease(job: HoldingJob, trajectory: Trajectory): TrajectoryPoint | null {
  const again = mostWorthPoint(trajectory, job.priceSeconds);
  if (!again || job.releases >= MOST_RELEASES) return null;
  const gain = worthOf(again, job.priceSeconds) - (job.priceSeconds - job.holdSeconds);
  return gain > 0 && job.holdSeconds - again.expectedHoldSeconds >= job.leastGainSeconds ? again : null;
}

function worthOf({ probability, expectedHoldSeconds }: TrajectoryPoint, priceSeconds: number): number {
  return priceSeconds * probability - expectedHoldSeconds;
}

function cheapestByProbability(trajectory: Trajectory): Map<number, TrajectoryPoint> {
  const cheapest = new Map<number, TrajectoryPoint>();
  for (const point of trajectory) {
    const known = cheapest.get(point.probability);
    if (!known || point.expectedHoldSeconds <= known.expectedHoldSeconds) cheapest.set(point.probability, point);
  }
  return cheapest;
}

/** Additional seconds of holding for each additional unit of probability. */
function slopeBetween(less: TrajectoryPoint, more: TrajectoryPoint): number {
  return (more.expectedHoldSeconds - less.expectedHoldSeconds) / (more.probability - less.probability);
}

/** The price halves where the margin is a third lower. */
const STEEPNESS = 2;
const LEAST_PRICE_SECONDS = 1800;
/** Above this probability certainty is worth more within a cap: twice as much for each tenth. */
const USUALLY_SURE = 0.75;
const MORE_WITHIN_A_CAP = 2 ** 10;
const MOST_RELEASES = 3;
