import type { EpochSeconds } from '../../domain/clock.ts';
import { isFinishPromised } from '../deadline/deadline-facts.ts';
import { holdUntil } from '../hold.ts';
import { isOpen } from './due.ts';
import { type Moves, noMoves } from './moves.ts';
import { isNeverStarted, NOTHING_STOPS_IT, type PromiseFacts, type TrackedJob } from './promised-job.ts';
import { UNPLANNED } from './submission-moves.ts';

/** When a job that holds processors ceases to and begins its own work. */
export function workBeginsAt({
  mode,
  startAt,
  windowOpensAt,
}: Pick<PromiseFacts, 'mode' | 'startAt' | 'windowOpensAt'>): EpochSeconds {
  return holdUntil(mode, startAt, windowOpensAt) ?? Number.NEGATIVE_INFINITY;
}

/**
 * Whether a job was asked back from its queue because its site never starts it, whatever the site says by now: where
 * nothing was ever promised there is no other reason.
 */
export function wasNeverStarted({ execution, reservation }: Pick<TrackedJob, 'execution' | 'reservation'>): boolean {
  return isNeverStarted(execution) || (reservation === null && !isFinishPromised(execution));
}

/**
 * Back to `HELD`: its job at the site is gone and none of its work was begun. One that was released is submitted at the
 * time that was planned with the release; for another its own turn decides at once where it goes now. One of which
 * nothing but its finish was promised is planned anew: it has no time of submission any more. One of which nothing is
 * promised, and that its site never starts, is `REQUESTED` again.
 * @param heldUntil when it ceased to hold processors, if it did
 */
export function heldAgain(
  { execution, reservation, leaving }: TrackedJob,
  { reason, heldUntil, now }: { reason: string; heldUntil: EpochSeconds; now: EpochSeconds },
): Moves {
  const isReleased = leaving === 'RELEASING';
  const isToBePlanned = leaving === 'WITHDRAWING' && reservation === null;
  const lookAt = isReleased ? Math.max(now, execution.submitAt ?? now) : now;
  const heldSeconds = execution.startedAt === null ? 0 : Math.max(0, heldUntil - execution.startedAt);
  const isPromised = isFinishPromised(execution) || (reservation !== null && isOpen(reservation));
  const isRefused = leaving === 'WITHDRAWING' && wasNeverStarted({ execution, reservation });
  const place = { state: 'HELD', submitAt: isToBePlanned ? null : lookAt } as const;
  const wasSubmitted = reservation?.state === 'SUBMITTED' || reservation?.state === 'HOLDING';
  return {
    ...noMoves(now, { at: lookAt }),
    execution: { ...(isRefused && !isPromised ? UNPLANNED : place), ...NO_JOB, reason },
    attempt: leaving && (isReleased ? 'RELEASED' : isRefused ? 'REJECTED' : 'WITHDRAWN'),
    releasedProcessorSeconds: reservation ? (execution.billedProcessors ?? execution.processors) * heldSeconds : 0,
    reservation: wasSubmitted ? ['PROMISED'] : [],
  };
}

const NO_JOB = {
  nativeId: null,
  nativeSubmittedAt: null,
  startedAt: null,
  missingSince: null,
  ...NOTHING_STOPS_IT,
} as const;
