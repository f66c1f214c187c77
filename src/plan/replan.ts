import type { EpochSeconds } from '../domain/clock.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { latestPointReaching, mostProbablePoint } from './trajectory.ts';

/** A promise that waits for its submission. */
export interface HeldPromise {
  /** That was promised. */
  readonly probability: number;
  /** That is aimed at, not below it. */
  readonly aimedProbability: number;
  /** When it is to be submitted by the plan so far. */
  readonly submitAt: EpochSeconds;
}

/**
 * Chooses the submission time anew from a trajectory computed now. Moves it later as long as the aim is reached; keeps it while the
 * promise is; else moves it to the latest time that reaches the aim, or the promise, or is the most probable. Null when the
 * trajectory is empty. Source: nurmi-varq, section 3.1 (trajectories are recomputed while waiting).
 */
export function replan(promise: HeldPromise, trajectory: Trajectory): TrajectoryPoint | null {
  const aimed = latestPointReaching(trajectory, promise.aimedProbability);
  if (aimed && aimed.submitAt >= promise.submitAt) return aimed;
  const present = trajectory.find((point) => point.submitAt >= promise.submitAt);
  if (present && present.probability >= promise.probability) return present;
  return aimed ?? latestPointReaching(trajectory, promise.probability) ?? mostProbablePoint(trajectory);
}
