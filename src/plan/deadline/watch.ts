import type { EpochSeconds } from '../../domain/clock.ts';
import type { DownTimeSign } from '../../domain/down-time.ts';
import { type Moves, noMoves } from '../reservation/moves.ts';
import type { DeadlineFacts, PromisedFinish } from './deadline-facts.ts';

/** What is due for the deadline of a job: it is watched while it may be met or ended for, or has to be ended. */
export type DeadlineDue = 'WATCH_DEADLINE' | 'MISS_DEADLINE';

/**
 * What is due for the promised deadline of a job beside what is due for its state; null for nothing. A job that is at
 * no site has missed it at the moment itself; of one that is, that is for its watch to find out.
 */
export function whatDeadlineIsDue(
  { state, deadlineAt, ifDeadlineMissed, deadlineMissedAt, cancelRequestedAt }: PromisedFinish,
  now: EpochSeconds,
): DeadlineDue | null {
  const isPast = now >= deadlineAt;
  const mustEnd = ifDeadlineMissed === 'CANCEL' && cancelRequestedAt === null;
  if (state === 'REQUESTED' || state === 'HELD') return isPast && mustEnd ? 'MISS_DEADLINE' : null;
  if (state !== 'QUEUED' && state !== 'RUNNING') return null;
  return deadlineMissedAt === null || mustEnd ? 'WATCH_DEADLINE' : null;
}

/** When the site of a job was last looked at, and for how long silence is no proof of anything. */
export interface LookAtSite {
  /** Null for never. */
  readonly observedAt: EpochSeconds | null;
  readonly silentSeconds: number;
}

/**
 * Whether a job that is at its site is known to have missed its deadline: that has passed, and a look at the site since
 * has not shown its end, or the site has been silent for long.
 */
export function hasMissed(
  { deadlineAt }: Pick<PromisedFinish, 'deadlineAt'>,
  { observedAt, silentSeconds }: LookAtSite,
  now: EpochSeconds,
): boolean {
  if (now < deadlineAt) return false;
  return (observedAt !== null && observedAt > deadlineAt) || now >= deadlineAt + silentSeconds;
}

/** What follows when a promised deadline was missed: it is told, and the job ended or left to run late. */
export function whatMissingMeans(
  { state, deadlineAt, ifDeadlineMissed, deadlineMissedAt }: PromisedFinish,
  now: EpochSeconds,
): Moves {
  const reason = `its deadline passed ${state === 'RUNNING' ? 'while it was running' : 'before it started'}`;
  const cancels = ifDeadlineMissed === 'CANCEL';
  const told = deadlineMissedAt === null ? { deadlineMissedAt: deadlineAt, reason } : {};
  return {
    ...noMoves(now, cancels || state === 'HELD' || state === 'REQUESTED' ? 'AT_ONCE' : { at: null }),
    execution: told,
    cancelBecause: cancels ? reason : null,
  };
}

/** How a promised finish looks, at its site and elsewhere. */
export interface FinishOutlook {
  readonly current: number;
  /** The most that another site can promise now; 0 for none. */
  readonly best: number;
}

/** Whether a job that waits may be moved at all: its promise is in danger and it has not been moved too often. */
export function isInDanger(
  { promisedFinishProbability, finishMoves }: Pick<DeadlineFacts, 'promisedFinishProbability' | 'finishMoves'>,
  current: number,
): boolean {
  return current < (promisedFinishProbability ?? 0) && finishMoves < MOST_MOVES;
}

/** Whether another site is worth giving up the place in the queue: it promises markedly more. */
export function isWorthMoving({ current, best }: FinishOutlook): boolean {
  return best >= current + MARKEDLY_MORE;
}

/** How probable it is that a job in a queue finishes in time, by all that is known of it. */
export interface QueuedFinish {
  /** As a job that would be submitted now, which comes behind it; null where that cannot be told. */
  readonly fresh: number | null;
  /** As it was forecast when it was submitted, given that it has waited for so long; null where that is not known. */
  readonly waited: number | null;
  /** What its site is taken to be down for. */
  readonly signs: readonly DownTimeSign[];
  /** Whether the site says that it starts no such job now. */
  readonly isBarred: boolean;
}

/**
 * The probability that a job in a queue finishes in time. A new job comes behind it, so it is at least as probable as
 * for that. While jobs wait and none starts there is none: forecasts rest on waits that have ended.
 */
export function queuedFinishProbability({ fresh, waited, signs, isBarred }: QueuedFinish): number {
  if (isBarred || signs.includes('NO_STARTS')) return 0;
  return Math.max(fresh ?? 0, waited ?? 0);
}

const MOST_MOVES = 3;
const MARKEDLY_MORE = 0.1;
