import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { mostWorthPoint } from './price.ts';
import { latestPointReaching, mostProbablePoint } from './trajectory.ts';

/** What a promise that waits for its submission goes by. */
export interface HeldTerms {
  /** Not below the promise. */
  readonly aimedProbability: number;
  /** What certainty is worth to it, see `holdPriceSeconds`; null for a leg of a co-allocation, on which others rely. */
  readonly priceSeconds: number | null;
}

/**
 * Chooses the submission time anew from a trajectory computed now; null when that is empty. Where certainty has a
 * price: the time that is worth most, or the latest that reaches the aim if that is later. Else the latest that reaches
 * the aim, or the most probable: one that is kept as long as the promise alone is reached uses up what the aim is above
 * it.
 * Source: nurmi-varq, section 3.1 (trajectories are recomputed while waiting).
 */
export function replan({ aimedProbability, priceSeconds }: HeldTerms, trajectory: Trajectory): TrajectoryPoint | null {
  const aimed = latestPointReaching(trajectory, aimedProbability);
  if (priceSeconds === null) return aimed ?? mostProbablePoint(trajectory);
  const worth = mostWorthPoint(trajectory, priceSeconds);
  return aimed && worth && aimed.submitAt > worth.submitAt ? aimed : worth;
}
