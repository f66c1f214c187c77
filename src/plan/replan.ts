import type { EpochSeconds } from '../domain/clock.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { mostWorthPoint } from './price.ts';
import { latestPointReaching, mostProbablePoint } from './trajectory.ts';

/** A promise that waits for its submission. */
export interface HeldTerms {
  /** That was promised. */
  readonly probability: number;
  /** That is aimed at, not below it. */
  readonly aimedProbability: number;
  /** When it is to be submitted by the plan so far. */
  readonly submitAt: EpochSeconds;
  /** What certainty is worth to it, see `holdPriceSeconds`; null for a leg of a co-allocation, on which others rely. */
  readonly priceSeconds: number | null;
}

/**
 * Chooses the submission time anew from a trajectory computed now; null when that is empty. Where certainty has a
 * price: the time that is worth most, or the latest that reaches the aim if that is later. Else moves it later as long
 * as the aim is reached; keeps it while the promise is; else moves it to the latest time that reaches the aim, or the
 * promise, or is the most probable.
 * Source: nurmi-varq, section 3.1 (trajectories are recomputed while waiting).
 */
export function replan(promise: HeldTerms, trajectory: Trajectory): TrajectoryPoint | null {
  return promise.priceSeconds === null
    ? replanForSure(promise, trajectory)
    : replanAtPrice(promise.aimedProbability, promise.priceSeconds, trajectory);
}

function replanAtPrice(aim: number, priceSeconds: number, trajectory: Trajectory): TrajectoryPoint | null {
  const aimed = latestPointReaching(trajectory, aim);
  const worth = mostWorthPoint(trajectory, priceSeconds);
  return aimed && worth && aimed.submitAt > worth.submitAt ? aimed : worth;
}

function replanForSure(promise: HeldTerms, trajectory: Trajectory): TrajectoryPoint | null {
  const aimed = latestPointReaching(trajectory, promise.aimedProbability);
  if (aimed && aimed.submitAt >= promise.submitAt) return aimed;
  const present = trajectory.find((point) => point.submitAt >= promise.submitAt);
  if (present && present.probability >= promise.probability) return present;
  return aimed ?? latestPointReaching(trajectory, promise.probability) ?? mostProbablePoint(trajectory);
}
