import type { EpochSeconds } from '../../domain/clock.ts';
import { RESERVATION_MOVES, type ReservationState } from '../../domain/reservation.ts';
import { isFinal } from '../../domain/state-machine.ts';
import { isFinishPromised } from '../deadline/deadline-facts.ts';
import { finishKept } from '../deadline/kept.ts';
import { type Moves, noMoves } from './moves.ts';
import type { ExecutionFacts, PromiseFacts } from './promised-job.ts';

/** What is known of the native job of a reservation. */
type JobFacts = Pick<ExecutionFacts, 'state' | 'startedAt' | 'endedAt' | 'outcome'>;

/** When the job was last seen to wait or to run at its site; null for never. */
export interface LastSeen {
  readonly waitingAt: EpochSeconds | null;
  readonly runningAt: EpochSeconds | null;
}

/** For a job that nobody has looked at. */
export const UNSEEN: LastSeen = { waitingAt: null, runningAt: null };

/**
 * Whether a promise was kept: the job was running at `startAt`, in every mode: one that began its work at once and was
 * over by then was not there when it was wanted. Silence decides nothing, and neither does what was seen before
 * `startAt`: a job that ran then may have ended since, and one that no look shows may have run and ended.
 */
export function decidePromise(
  job: JobFacts,
  { startAt }: Pick<PromiseFacts, 'startAt'>,
  { waitingAt, runningAt }: LastSeen,
  now: EpochSeconds,
): 'KEPT' | 'MISSED' | 'UNDECIDED' {
  if (job.endedAt !== null && job.endedAt <= startAt) return 'MISSED';
  if (now < startAt) return 'UNDECIDED';
  if (job.startedAt !== null && job.startedAt > startAt) return 'MISSED';
  if (job.startedAt === null) {
    return job.state === 'ENDED' || isAfter(waitingAt, startAt) ? 'MISSED' : 'UNDECIDED';
  }
  return job.endedAt !== null || isAfter(runningAt, startAt) ? 'KEPT' : 'UNDECIDED';
}

/**
 * What follows for a submitted promise once its moment has come. Undecided it is looked at again after a while; one
 * that was missed is cancelled unless it may run late.
 * @param lookAgainSeconds how long after this look
 */
export function whatItsMomentMeans(
  { execution, reservation }: { readonly execution: ExecutionFacts; readonly reservation: PromiseFacts },
  lastSeen: LastSeen,
  { now, lookAgainSeconds }: { readonly now: EpochSeconds; readonly lookAgainSeconds: number },
): Moves {
  const verdict = decidePromise(execution, reservation, lastSeen, now);
  if (verdict === 'UNDECIDED') return noMoves(now, { at: Math.max(reservation.startAt, now + lookAgainSeconds) });
  const cancels = verdict === 'MISSED' && reservation.ifMissed === 'CANCEL';
  return {
    ...noMoves(now, cancels ? 'AT_ONCE' : { at: null }),
    reservation: [verdict],
    cancelBecause: cancels ? 'it had not started by the reserved time' : null,
    tellsGroup: true,
  };
}

/** What follows for an execution that has ended and its promise, if that is still open: both are settled. */
export function whatTheEndMeans(execution: ExecutionFacts, reservation: PromiseFacts | null, now: EpochSeconds): Moves {
  const verdict = reservation && verdictAtTheEnd(execution, reservation, now);
  return {
    ...noMoves(now, { at: null }),
    execution: { settledAt: now, ...(isFinishPromised(execution) && { finishKept: finishKept(execution) }) },
    reservation: verdict && verdict !== reservation.state ? [verdict] : [],
    tellsGroup: true,
  };
}

function verdictAtTheEnd(execution: ExecutionFacts, reservation: PromiseFacts, now: EpochSeconds): ReservationState {
  if (isFinal(RESERVATION_MOVES, reservation.state)) return reservation.state;
  if (execution.cancelRequestedAt !== null && execution.cancelRequestedAt < reservation.startAt) return 'CANCELLED';
  return decidePromise(execution, reservation, UNSEEN, Math.max(now, reservation.startAt)) === 'KEPT'
    ? 'KEPT'
    : 'MISSED';
}

function isAfter(seenAt: EpochSeconds | null, startAt: EpochSeconds): boolean {
  return seenAt !== null && seenAt >= startAt;
}
