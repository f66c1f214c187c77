import type { EpochSeconds } from '../../domain/clock.ts';
import { formatSeconds } from '../../domain/duration.ts';
import type { ExecutionChange } from '../../domain/execution.ts';
import type { ReservationState } from '../../domain/reservation.ts';
import type { NativeJob } from '../../domain/site-adapter.ts';
import { cut } from '../../domain/text.ts';
import { isFinishPromised } from '../deadline/deadline-facts.ts';
import { earlierRunSeconds } from './earlier-runs.ts';
import { isGateShut, whatGivingUpMeans } from './gate.ts';
import { heldAgain, wasNeverStarted, workBeginsAt } from './held-again.ts';
import { type Moves, type NextLook, noMoves } from './moves.ts';
import {
  type ExecutionFacts,
  type Leaving,
  NOTHING_STOPS_IT,
  type PromiseFacts,
  type TrackedJob,
} from './promised-job.ts';
import { isSought } from './sought.ts';

type EndedJob = Extract<NativeJob, { state: 'ENDED' }>;

/** Whether what was seen of a job says more than what is known of its execution. */
export function isNews(execution: ExecutionFacts, job: NativeJob): boolean {
  const { state, startedAt, missingSince } = execution;
  if (missingSince !== null || job.state === 'ENDED' || isSought(execution)) return true;
  if (job.state === 'WAITING') return state !== 'QUEUED';
  return state !== 'RUNNING' || startedAt !== job.startAt;
}

/** What follows from what a site says of a job: where it is now, what that means for its promise, what comes next. */
export function whatFollows(tracked: TrackedJob, job: NativeJob, now: EpochSeconds): Moves {
  const { execution, reservation, leaving, siteName } = tracked;
  if (leaving && job.state === 'ENDED' && isGivenBack(tracked, leaving, job)) {
    return heldAgain(tracked, { reason: givenBackReason(tracked, leaving), heldUntil: job.endAt, now });
  }
  if (job.state === 'ENDED' && isWantedAgain(execution, job)) return whatGivingUpMeans(tracked, job.endAt, now);
  if (job.state === 'ENDED' && isForgotten(tracked, job)) {
    const reason = `${siteName} had given the job back before the database was restored from a backup`;
    const held = heldAgain({ ...tracked, leaving: 'RELEASING' }, { reason, heldUntil: job.endAt, now });
    return { ...held, next: { at: now } };
  }
  const isWithdrawing = leaving === 'WITHDRAWING';
  const seen = withLateness(execution, {
    ...changeFor(job, execution),
    earlierRunSeconds: earlierRunSeconds(execution, job, now),
  });
  return {
    ...noMoves(now, nextLookAfter(job, tracked, now)),
    execution: { ...seen, ...(isWithdrawing && reasonFor(job, siteName)) },
    reservation: reservation ? statesAfter(job, reservation) : [],
    attempt: isWithdrawing ? attemptAfter(job) : null,
    tellsGroup: true,
  };
}

/** The states that a promise goes through when its job is seen to wait or to run. */
function statesAfter(job: NativeJob, { state, startAt }: PromiseFacts): ReservationState[] {
  if (job.state === 'WAITING') return state === 'HOLDING' ? ['SUBMITTED'] : [];
  if (job.state !== 'RUNNING') return [];
  const isAccepted = state === 'PROMISED' || state === 'SUBMITTED';
  const holds: ReservationState[] = isAccepted && job.startAt <= startAt ? ['HOLDING'] : [];
  return state === 'PROMISED' ? ['SUBMITTED', ...holds] : holds;
}

/** An attempt that was to be withdrawn has been, unless its job started before. */
function attemptAfter(job: NativeJob): Moves['attempt'] {
  if (job.state === 'WAITING') return null;
  return job.startAt === null ? 'WITHDRAWN' : 'ACCEPTED';
}

/** An end is booked at once, and a job that holds processors is looked after at once. */
function nextLookAfter(job: NativeJob, { execution, reservation }: TrackedJob, now: EpochSeconds): NextLook {
  const hasStarted = job.state === 'RUNNING' && isNews(execution, job);
  if (hasStarted && execution.awaits) return { at: now };
  const isHolding = job.state === 'RUNNING' && reservation !== null && now < reservation.startAt;
  return job.state === 'ENDED' || isHolding ? { at: now } : 'AS_BEFORE';
}

/** Whether a job that has ended did so for being asked to, with nothing of its own work done, and is wanted again. */
function isGivenBack({ execution, reservation }: TrackedJob, leaving: Leaving, job: EndedJob): boolean {
  if (execution.cancelRequestedAt !== null) return false;
  if (leaving === 'WITHDRAWING') return job.startAt === null;
  return reservation !== null && job.outcome === 'CANCELLED' && job.endAt < workBeginsAt(reservation);
}

/** Whether we had asked for the end of a promised job, before its own work, which a restored database does not know. */
function isForgotten({ execution, reservation, leaving }: TrackedJob, job: EndedJob): boolean {
  const isPromised = reservation !== null || isFinishPromised(execution);
  if (!isSought(execution) || execution.cancelRequestedAt !== null || !isPromised || leaving !== null) return false;
  if (job.outcome !== 'CANCELLED') return false;
  return job.startAt === null || (reservation !== null && job.endAt < workBeginsAt(reservation));
}

/** Whether a job has ended that was never told to begin, without anybody wanting its end. */
function isWantedAgain(execution: ExecutionFacts, { outcome }: EndedJob): boolean {
  return isGateShut(execution) && execution.cancelRequestedAt === null && outcome !== 'CANCELLED';
}

function givenBackReason(tracked: TrackedJob, leaving: Leaving): string {
  const { reservation, siteName } = tracked;
  if (leaving === 'RELEASING') return `it gave back the processors that it held too early at ${siteName}`;
  if (wasNeverStarted(tracked)) return `${siteName} never starts it and has given the job back`;
  const why = reservation ? 'is taken to be down' : 'would finish it too late';
  return `${siteName} ${why} and has given the job back before it started`;
}

/** Why a job is where it is that started although it was to be withdrawn. */
function reasonFor(job: NativeJob, siteName: string): ExecutionChange {
  if (job.state === 'RUNNING') return { reason: `it started at ${siteName} before it could be withdrawn` };
  const isHit = job.state === 'ENDED' && job.outcome === 'CANCELLED' && job.startAt !== null;
  return isHit ? { reason: `it started at ${siteName} while it was being withdrawn, and was cancelled` } : {};
}

/**
 * With what the end of a job means for its deadline, which may have been taken for missed while the end was not yet
 * known.
 */
function withLateness({ deadlineAt }: ExecutionFacts, change: ExecutionChange): ExecutionChange {
  const { state, endedAt = null, reason } = change;
  if (state !== 'ENDED' || deadlineAt === null || endedAt === null) return change;
  if (endedAt <= deadlineAt) return { ...change, deadlineMissedAt: null };
  const late = `it ended ${formatSeconds(Math.ceil(endedAt - deadlineAt))} after its deadline`;
  return { ...change, deadlineMissedAt: deadlineAt, reason: reason ? `${reason}; ${late}` : late };
}

function siteSays({ outcome, exitCode, note }: EndedJob): string {
  const exit = exitCode === null ? '' : `, exit ${exitCode}`;
  return `its site says ${outcome}${exit}${note === undefined ? '' : `: ${cut(note)}`}`;
}

function changeFor(job: NativeJob, execution: ExecutionFacts): ExecutionChange {
  const { cancelRequestedAt, cancelReason } = execution;
  // While an attempt is there no later one has been made.
  const alive = { missingSince: null, ...(isSought(execution) && { soughtSince: null }) };
  if (job.state === 'WAITING') return { state: 'QUEUED', startedAt: null, ...alive };
  if (job.state === 'RUNNING') return { state: 'RUNNING', startedAt: job.startAt, ...NOTHING_STOPS_IT, ...alive };
  const { startAt: startedAt, endAt: endedAt, outcome, exitCode, billedProcessors } = job;
  const billed = billedProcessors === undefined ? {} : { billedProcessors };
  const isOurs = outcome === 'CANCELLED' && cancelRequestedAt !== null;
  const reason = outcome === 'COMPLETED' ? null : isOurs ? cancelReason : siteSays(job);
  return { state: 'ENDED', startedAt, endedAt, outcome, exitCode, reason, missingSince: null, ...billed };
}
