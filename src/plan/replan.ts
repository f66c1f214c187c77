import type { EpochSeconds } from '../domain/clock.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { mostWorthPoint } from './price.ts';
import { latestPointReaching, mostProbablePoint } from './trajectory.ts';

/** What a promise that waits for its submission goes by. */
export interface HeldTerms {
  /** Not below the promise. */
  readonly aimedProbability: number;
  /** What certainty is worth to it, see `holdPriceSeconds`; null for a leg of a co-allocation, on which others rely. */
  readonly priceSeconds: number | null;
  /** It is put off no further, see `latestSubmitAt`; any time unless told. */
  readonly latestSubmitAt?: EpochSeconds;
}

/**
 * Chooses the submission time anew from a trajectory computed now; null when that is empty. Where certainty has a
 * price: the time that is worth most, or the latest that reaches the aim if that is later. Else the latest that reaches
 * the aim, or the most probable: one that is kept as long as the promise alone is reached uses up what the aim is above
 * it. Never later than `latestSubmitAt`, but where all of it is later: then the earliest.
 * Source: nurmi-varq, section 3.1 (trajectories are recomputed while waiting).
 */
export function replan(terms: HeldTerms, trajectory: Trajectory): TrajectoryPoint | null {
  const { latestSubmitAt = Number.POSITIVE_INFINITY } = terms;
  const best = bestPoint(terms, trajectory);
  if (!best || best.submitAt <= latestSubmitAt) return best;
  return trajectory.findLast(({ submitAt }) => submitAt <= latestSubmitAt) ?? trajectory[0] ?? null;
}

function bestPoint({ aimedProbability, priceSeconds }: HeldTerms, trajectory: Trajectory): TrajectoryPoint | null {
  const aimed = latestPointReaching(trajectory, aimedProbability);
  if (priceSeconds === null) return aimed ?? mostProbablePoint(trajectory);
  const worth = mostWorthPoint(trajectory, priceSeconds);
  return aimed && worth && aimed.submitAt > worth.submitAt ? aimed : worth;
}

/** A promise that waits for its submission. */
export interface WaitingPromise extends Pick<HeldTerms, 'priceSeconds'> {
  readonly probability: number;
  readonly submitAt: EpochSeconds;
  readonly startAt: EpochSeconds;
  /** Most that holding processors may cost on average; null for any. */
  readonly maxExpectedPaddingProcessorSeconds: number | null;
}

/**
 * Until when a promise may be put off at one look. Of many moments and many looks the one is taken that looks best, and
 * a forecast of a later moment that says nearly 1 is too sure. So a promise above .9 goes later by little at a time,
 * the less the surer it is, and one of .99 never does. That costs more holding, which a cap bounds. Without a cap, and
 * for a leg of a co-allocation, any moment will do: infinity. Source of the figures: jobs of three logs,
 * docs/decisions/178-sure-promises-are-put-off-slowly.md.
 * @param lookSeconds from one look to the next
 */
export function latestSubmitAt(promise: WaitingPromise, lookSeconds: number): EpochSeconds {
  const { probability, submitAt, startAt, priceSeconds, maxExpectedPaddingProcessorSeconds } = promise;
  const isCapped = priceSeconds !== null && maxExpectedPaddingProcessorSeconds !== null;
  if (!isCapped || probability <= PUT_OFF_FREELY) return Number.POSITIVE_INFINITY;
  const share = Math.min(1, (Math.max(0, MOST_SURE - probability) * lookSeconds) / WHOLLY_SECONDS);
  return submitAt + share * Math.max(0, startAt - submitAt);
}

const PUT_OFF_FREELY = 0.9;
/** Forecasts end there. */
const MOST_SURE = 0.99;
/** In so long looks put off by the time that is left, times what is missing to .99. */
const WHOLLY_SECONDS = 600;
