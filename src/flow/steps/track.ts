import { formatSeconds } from '../../domain/duration.ts';
import { SiteFailure, StaleTurn } from '../../domain/failures.ts';
import type { NativeJob, SiteAdapter } from '../../domain/site-adapter.ts';
import { submissionKey } from '../../domain/submission.ts';
import { holdUntil } from '../../plan/hold.ts';
import type { Db } from '../../store/database.ts';
import { changeExecution, type ExecutionChange, type ExecutionRow } from '../../store/executions.ts';
import { addReleased, findReservedExecution, type ReservationRow } from '../../store/reservations.ts';
import type { SiteRow } from '../../store/sites.ts';
import { findNewestSubmission, moveSubmission, type SubmissionRow } from '../../store/submissions.ts';
import { claimTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { holdTurn } from '../hold-turn.ts';
import { endTurn, leaseOf } from '../turn.ts';
import { earlierRunSeconds } from './earlier-runs.ts';
import { wakeGroup } from './legs.ts';
import type { Sighting } from './sightings.ts';
import { moveReservationFrom } from './submit.ts';

/**
 * Moves one execution as its native job was seen. When another worker has the execution's turn nothing happens: the
 * next observation will see the job again.
 */
export async function trackStep(
  context: FlowContext,
  site: SiteRow,
  adapter: SiteAdapter,
  sighting: Sighting,
): Promise<void> {
  const { db } = context.database;
  const turn = await claimTurn(db, 'Execution', sighting.execution.id, await leaseOf(context));
  if (!turn) return;
  const found = await findReservedExecution(db, sighting.execution.id);
  const execution = found?.execution;
  const reservation = found?.reservation ?? null;
  const outdated = execution?.nativeId !== sighting.execution.nativeId || execution.state === 'ENDED';
  const letGo = () => context.database.transaction((tx) => endTurn(tx, turn, turn.wakeAt));
  const track = () => {
    if (!execution || outdated) return letGo();
    if (sighting.job) return follow(context, turn, execution, reservation, site, sighting.job);
    return miss(context, turn, execution, reservation, site, adapter, sighting.observedAt);
  };
  try {
    await holdTurn(context, turn, track);
  } catch (error) {
    if (error instanceof SiteFailure) await letGo();
    if (!(error instanceof StaleTurn)) throw error;
  }
}

async function follow(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
  site: SiteRow,
  job: NativeJob,
): Promise<void> {
  const now = context.clock.now();
  const leaving = await findLeaving(context.database.db, execution, reservation);
  const withdrawing = leaving?.state === 'WITHDRAWING' ? leaving : null;
  if (leaving && job.state === 'ENDED' && isGivenBack(leaving, job, execution, reservation)) {
    return holdAgain(context, turn, execution, reservation, leaving, givenBackReason(leaving, site), job.endAt);
  }
  const seen = withLateness(execution, {
    ...changeFor(job, execution),
    earlierRunSeconds: earlierRunSeconds(execution, job, now),
  });
  await context.database.transaction(async (tx) => {
    await wakeGroup(tx, reservation, now);
    await changeExecution(tx, turn, execution, { ...seen, ...(withdrawing && reasonFor(job, site)) }, now);
    if (withdrawing && job.state !== 'WAITING') {
      await moveSubmission(tx, withdrawing.key, job.startAt === null ? 'WITHDRAWN' : 'ACCEPTED', now);
    }
    if (job.state === 'RUNNING') {
      await moveReservationFrom(tx, reservation, ['PROMISED'], 'SUBMITTED', now);
      const submitted = reservation && { ...reservation, state: 'SUBMITTED' as const };
      const early = reservation && job.startAt <= reservation.startAt;
      if (early)
        await moveReservationFrom(tx, isOpen(reservation.state) ? submitted : null, ['SUBMITTED'], 'HOLDING', now);
    }
    if (job.state === 'WAITING') await moveReservationFrom(tx, reservation, ['HOLDING'], 'SUBMITTED', now);
    const isHolding = job.state === 'RUNNING' && reservation !== null && now < reservation.startAt;
    await endTurn(tx, turn, job.state === 'ENDED' || isHolding ? now : turn.wakeAt);
  });
}

/**
 * The attempt that its site is asked to give back; null for none. Only promises are: those in a queue are withdrawn,
 * those that hold processors too early are released.
 */
async function findLeaving(
  db: Db,
  { id, state }: ExecutionRow,
  reservation: ReservationRow | null,
): Promise<SubmissionRow | null> {
  const newest = reservation ? await findNewestSubmission(db, id) : null;
  const isWithdrawing = newest?.state === 'WITHDRAWING' && state === 'QUEUED';
  return isWithdrawing || newest?.state === 'RELEASING' ? newest : null;
}

/** Whether a job that has ended did so for being asked to, with nothing of its own work done, and is wanted again. */
function isGivenBack(
  leaving: SubmissionRow,
  job: Extract<NativeJob, { state: 'ENDED' }>,
  { cancelRequestedAt }: ExecutionRow,
  reservation: ReservationRow | null,
): boolean {
  if (cancelRequestedAt !== null) return false;
  if (leaving.state === 'WITHDRAWING') return job.startAt === null;
  return reservation !== null && job.outcome === 'CANCELLED' && job.endAt < workBeginsAt(reservation);
}

/** When a job that holds processors ceases to and begins its own work. */
function workBeginsAt({ mode, startAt, windowOpensAt }: ReservationRow): number {
  return holdUntil(mode, startAt, windowOpensAt) ?? Number.NEGATIVE_INFINITY;
}

function givenBackReason({ state }: SubmissionRow, { name }: SiteRow): string {
  return state === 'RELEASING'
    ? `it gave back the processors that it held too early at ${name}`
    : `${name} is taken to be down and has given the job back before it started`;
}

/** Why a job is where it is that started although it was to be withdrawn. */
function reasonFor(job: NativeJob, { name }: SiteRow): ExecutionChange {
  if (job.state === 'RUNNING') return { reason: `it started at ${name} before it could be withdrawn` };
  const isHit = job.state === 'ENDED' && job.outcome === 'CANCELLED' && job.startAt !== null;
  return isHit ? { reason: `it started at ${name} while it was being withdrawn, and was cancelled` } : {};
}

/**
 * Back to `HELD`: its job at the site is gone and none of its work was begun. One that was released is submitted at the
 * time that was planned with the release; for another the execution's own turn decides at once where it goes now.
 * @param heldUntil when it ceased to hold processors, if it did
 */
function holdAgain(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
  leaving: SubmissionRow | null,
  reason: string,
  heldUntil: number,
): Promise<void> {
  const now = context.clock.now();
  const noJob = { nativeId: null, nativeSubmittedAt: null, startedAt: null, missingSince: null };
  const isReleased = leaving?.state === 'RELEASING';
  const submitAt = isReleased ? Math.max(now, execution.submitAt ?? now) : now;
  return context.database.transaction(async (tx) => {
    await changeExecution(tx, turn, execution, { state: 'HELD', ...noJob, submitAt, reason }, now);
    if (leaving) await moveSubmission(tx, leaving.key, isReleased ? 'RELEASED' : 'WITHDRAWN', now);
    if (reservation && execution.startedAt !== null) {
      const heldSeconds = Math.max(0, heldUntil - execution.startedAt);
      await addReleased(tx, reservation.id, execution.processors * heldSeconds);
    }
    await moveReservationFrom(tx, reservation, ['SUBMITTED', 'HOLDING'], 'PROMISED', now);
    await endTurn(tx, turn, submitAt);
  });
}

function isOpen(state: string): boolean {
  return state === 'PROMISED' || state === 'SUBMITTED';
}

/**
 * With what the end of a job means for its deadline, which may have been taken for missed while the end was not yet
 * known.
 */
function withLateness({ deadlineAt }: ExecutionRow, change: ExecutionChange): ExecutionChange {
  const { state, endedAt = null, reason } = change;
  if (state !== 'ENDED' || deadlineAt === null || endedAt === null) return change;
  if (endedAt <= deadlineAt) return { ...change, deadlineMissedAt: null };
  const late = `it ended ${formatSeconds(Math.ceil(endedAt - deadlineAt))} after its deadline`;
  return { ...change, deadlineMissedAt: deadlineAt, reason: reason ? `${reason}; ${late}` : late };
}

function changeFor(job: NativeJob, { cancelRequestedAt, cancelReason }: ExecutionRow): ExecutionChange {
  if (job.state === 'WAITING') return { state: 'QUEUED', startedAt: null, missingSince: null };
  if (job.state === 'RUNNING') return { state: 'RUNNING', startedAt: job.startAt, missingSince: null };
  const { startAt: startedAt, endAt: endedAt, outcome, exitCode } = job;
  const isOurs = outcome === 'CANCELLED' && cancelRequestedAt !== null;
  const siteSays = isOurs ? cancelReason : `its site says ${outcome}${exitCode === null ? '' : `, exit ${exitCode}`}`;
  const reason = outcome === 'COMPLETED' ? null : siteSays;
  return { state: 'ENDED', startedAt, endedAt, outcome, exitCode, reason, missingSince: null };
}

/**
 * Neither queue nor accounting mention the job. That is no end: only when the key is still nowhere to be found after
 * accounting's lag has the site lost it. A job lost before it ran is submitted once more under a fresh key; one that
 * was being withdrawn is gone by that.
 */
async function miss(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
  site: SiteRow,
  adapter: SiteAdapter,
  observedAt: number,
): Promise<void> {
  const now = context.clock.now();
  const missingSince = execution.missingSince ?? observedAt;
  const patience = adapter.capabilities.accountingLagSeconds + 2 * context.settings.retrySeconds;
  if (now - missingSince < patience) {
    return context.database.transaction(async (tx) => {
      await changeExecution(tx, turn, execution, { missingSince }, now);
      await endTurn(tx, turn, turn.wakeAt);
    });
  }
  const found = await adapter.find(submissionKey(execution.id, execution.attempts), execution.nativeSubmittedAt ?? 0);
  if (found) return follow(context, turn, execution, reservation, site, found);
  const leaving = await findLeaving(context.database.db, execution, reservation);
  const reason = `${site.name} lost the job: neither queue nor accounting know it`;
  const isOver = reservation !== null && leaving?.state === 'RELEASING' && missingSince >= workBeginsAt(reservation);
  if ((leaving && !isOver) || (execution.state === 'QUEUED' && execution.attempts < MAX_ATTEMPTS_AFTER_LOSS)) {
    return holdAgain(context, turn, execution, reservation, leaving, reason, missingSince);
  }
  await context.database.transaction(async (tx) => {
    await changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'LOST', endedAt: now, reason }, now);
    await endTurn(tx, turn, now);
  });
}

const MAX_ATTEMPTS_AFTER_LOSS = 2;
