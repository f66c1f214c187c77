import type { EpochSeconds } from '../../domain/clock.ts';
import type { NextTry } from '../job/retry.ts';
import { type Moves, noMoves } from './moves.ts';
import type { ExecutionFacts } from './promised-job.ts';
import { UNPLANNED } from './submission-moves.ts';

/**
 * What follows when a job has ended and is run again: nothing is left of the try but its charge, and it is planned anew
 * with what it asks for now.
 */
export function whatTryingAgainMeans(
  { walltimeSeconds: before, statedWalltimeSeconds: stated, failedTries }: TriedExecution,
  { walltimeSeconds, resources, reason }: Extract<NextTry, { again: true }>,
  now: EpochSeconds,
): Moves {
  // A walltime that was left to us killed it once; the next one is stated.
  const isLonger = walltimeSeconds !== before;
  const longer = { walltimeSeconds, walltimeRisk: null, walltimePredictor: null };
  const asStated = stated === null ? {} : { statedWalltimeSeconds: Math.ceil((stated * walltimeSeconds) / before) };
  return {
    ...noMoves(now, { at: now }),
    execution: {
      ...UNPLANNED,
      ...NOTHING_LEFT,
      ...(isLonger && { ...longer, ...asStated }),
      ...(resources && { resources }),
      readyAt: now,
      failedTries: failedTries + 1,
      reason,
    },
  };
}

/** What is known of an execution that has been tried. */
export type TriedExecution = Pick<ExecutionFacts, 'state'> & {
  readonly walltimeSeconds: number;
  /** Of a job that may run at several sizes; null for others. */
  readonly statedWalltimeSeconds: number | null;
  readonly failedTries: number;
};

const NOTHING_LEFT = {
  nativeId: null,
  nativeSubmittedAt: null,
  submittedWalltimeSeconds: null,
  startedAt: null,
  endedAt: null,
  exitCode: null,
  missingSince: null,
  earlierRunSeconds: 0,
  gateSeconds: null,
  gateOpenedAt: null,
} as const;
