import type { EpochSeconds } from './clock.ts';
import type { ExecutionOutcome, ExecutionState } from './execution.ts';

/** What must have become of a job before another one that comes after it may begin: its end, or its success. */
export const DEPENDENCY_CONDITIONS = ['ANY_END', 'SUCCESS'] as const;
export type DependencyCondition = (typeof DEPENDENCY_CONDITIONS)[number];

/** Jobs that one job may come after. */
export const MOST_PREDECESSORS = 16;

/** How far the outputs are that are moved out of the folder of a job that has ended. */
export interface OutputsOut {
  /** Whether some are still to be moved. */
  readonly areOutputsMoving: boolean;
  /** Path of the first that could not be; null where all were, or none is asked for. */
  readonly lostOutput: string | null;
}

/** A job that another one comes after, and on what condition. */
export interface Predecessor extends OutputsOut {
  readonly name: string;
  readonly state: ExecutionState;
  readonly outcome: ExecutionOutcome | null;
  /** Null until it has ended, and where nobody knows when. */
  readonly endedAt: EpochSeconds | null;
  readonly condition: DependencyCondition;
}
