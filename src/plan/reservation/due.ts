import type { EpochSeconds } from '../../domain/clock.ts';
import { RESERVATION_MOVES } from '../../domain/reservation.ts';
import { isFinal } from '../../domain/state-machine.ts';
import { isFinishPromised } from '../deadline/deadline-facts.ts';
import { type DeadlineDue, whatDeadlineIsDue } from '../deadline/watch.ts';
import { type ExecutionFacts, isNeverStarted, type PromiseFacts } from './promised-job.ts';
import { isSought } from './sought.ts';

/**
 * What is due for an execution when it is looked after. `AWAIT` the jobs that it comes after, also with a job of its
 * own at a site that is to be told to begin then; `WAIT` for the submission time, then submit; `KEEP_WAITING` the same
 * for a promise, which is looked at again meanwhile. `RESOLVE` a submission in doubt. `STAY_OR_WITHDRAW` a promised job
 * in a queue, `HOLD_OR_RELEASE` one that runs early, `DECIDE` the promise whose moment has come. `STAY_OR_LEAVE` a job
 * whose site says that it never starts it. `CANCEL` what is not wanted any more, `SETTLE` what has ended; see there for
 * what is due for a promised deadline. `SEEK` a job that may be
 * at a site although its attempt is not on record, as after a backup was restored: before all else.
 */
export type Due =
  | 'PLAN'
  | 'AWAIT'
  | 'WAIT'
  | 'KEEP_WAITING'
  | 'RESOLVE'
  | 'STAY_OR_WITHDRAW'
  | 'HOLD_OR_RELEASE'
  | 'DECIDE'
  | 'STAY_OR_LEAVE'
  | 'CANCEL'
  | 'SETTLE'
  | 'SEEK'
  | DeadlineDue;

/** Whether it is still to be seen what becomes of a promise. */
export function isOpen({ state }: Pick<PromiseFacts, 'state'>): boolean {
  return !isFinal(RESERVATION_MOVES, state);
}

/** Whether what was computed of a promise at its last look still holds: it is submitted then when it is due. */
export function isLookFresh(lookedAt: EpochSeconds, now: EpochSeconds, recomputeIntervalSeconds: number): boolean {
  return now - lookedAt <= recomputeIntervalSeconds;
}

/** What is due, from its state alone; null when only what is seen of its job can move it on. */
export function whatIsDue(
  execution: Pick<ExecutionFacts, 'state' | 'settledAt' | 'cancelRequestedAt'> & Partial<ExecutionFacts>,
  reservation: Pick<PromiseFacts, 'state' | 'startAt'> | null,
  now: EpochSeconds,
): Due | null {
  if (execution.state === 'ENDED') return execution.settledAt === null ? 'SETTLE' : null;
  const isAtNoSite = execution.state === 'REQUESTED' || execution.state === 'HELD';
  if (isAtNoSite && isSought(execution)) return 'SEEK';
  if (execution.cancelRequestedAt !== null) return 'CANCEL';
  const ofDeadline = isFinishPromised(execution) ? whatDeadlineIsDue(execution, now) : null;
  if (ofDeadline) return ofDeadline;
  const promise = reservation && isOpen(reservation) ? reservation : null;
  switch (execution.state) {
    case 'REQUESTED':
      return execution.awaits ? 'AWAIT' : 'PLAN';
    case 'HELD':
      if (execution.awaits) return 'AWAIT';
      return promise ? 'KEEP_WAITING' : 'WAIT';
    case 'SUBMITTING':
      return 'RESOLVE';
    case 'QUEUED':
    case 'RUNNING':
      if (!promise && execution.awaits) return 'AWAIT';
      if (!promise) return isNeverStarted(execution) ? 'STAY_OR_LEAVE' : null;
      if (now >= promise.startAt) return 'DECIDE';
      return execution.state === 'QUEUED' ? 'STAY_OR_WITHDRAW' : 'HOLD_OR_RELEASE';
  }
}
