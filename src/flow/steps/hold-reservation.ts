import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '../../domain/failures.ts';
import { submissionKey } from '../../domain/submission.ts';
import { loadMargins } from '../../forecast/margins.ts';
import { earliestSubmission } from '../../plan/unusable.ts';
import { changeExecution, type ExecutionRow, requestCancel } from '../../store/executions.ts';
import { moveReservation, type ReservationRow, saveTrajectory } from '../../store/reservations.ts';
import { asCandidate, readSnapshot, type SiteRow } from '../../store/sites.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { replanAtSite } from '../recompute.ts';
import { commitStep, type Next } from '../turn.ts';
import { wakeGroup } from './legs.ts';
import { missUnsubmitted } from './miss.ts';
import { moveAway } from './move.ts';
import { decidePromise, type LastSeen } from './promise.ts';
import { waitWhileRefused } from './refused-promise.ts';
import { askPhase } from './sightings.ts';
import { siteOf, submitStep } from './submit.ts';

/**
 * Waits with a promised reservation until its submission time, which is looked at again every few minutes meanwhile
 * (`src/flow/recompute.ts`), and once more before it is submitted on an old look. While the site is suspended or
 * refuses it, it looks for another one. Submission is the point of no return (VARQ, section 3).
 */
export async function holdReservationStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const now = context.clock.now();
  if (now >= reservation.startAt) return missUnsubmitted(context, turn, execution, reservation);
  const site = await siteOf(context, execution);
  const moved = await moveAway(context, turn, execution, reservation, site);
  if (moved) return moved;
  if (site.state === 'REMOVING') return giveUp(context, turn, execution, reservation, site);
  const refused = await waitWhileRefused(context, turn, execution, reservation, site);
  if (refused) return refused;
  const plannedAt = execution.submitAt ?? now;
  if (plannedAt > now) return commitStep(context, turn, { wakeAt: plannedAt }, (tx) => assertTurn(tx, turn));
  const promised = { processors: execution.processors, queue: execution.siteQueue, startAt: reservation.startAt };
  const opensAt = earliestSubmission(promised, asCandidate(site), now);
  if (opensAt > now) {
    return commitStep(context, turn, { wakeAt: opensAt }, (tx) =>
      changeExecution(tx, turn, execution, { submitAt: opensAt }, now),
    );
  }
  const isFresh = now - reservation.recomputedAt < context.settings.recomputeIntervalSeconds;
  if (isFresh) return submitStep(context, turn, execution, reservation);
  const margins = await loadMargins(context.database.db, site.id);
  const { siteQueue, processors, walltimeSeconds } = execution;
  const size = {
    executionId: execution.id,
    version: turn.version,
    siteId: site.id,
    siteQueue,
    processors,
    walltimeSeconds,
  };
  const held = { ...reservation, ...size, submitAt: plannedAt, wakeAt: plannedAt };
  const answer = await inTime(context, execution, replanAtSite(context, site, [held], margins, now));
  if (answer === null) return submitStep(context, turn, execution, reservation);
  const [revised] = answer;
  invariant(revised, `execution ${execution.id} has no new plan`);
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeExecution(tx, turn, execution, { submitAt: revised.submitAt }, now);
    await saveTrajectory(tx, reservation.id, { ...revised, now });
  });
}

/** A promise whose site goes and that no other one takes is cancelled: nothing will keep it. */
function giveUp(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
  { name }: SiteRow,
): Promise<Next> {
  const now = context.clock.now();
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await wakeGroup(tx, reservation, now);
    await assertTurn(tx, turn);
    await requestCancel(tx, execution.id, `${name} is being removed and no other site promises it`, now);
  });
}

/**
 * A promise that is due does not wait for a forecaster that is busy, say learning at its start: the plan it has will
 * do.
 */
async function inTime<Answer>(
  { logger }: FlowContext,
  { id: executionId }: ExecutionRow,
  asked: Promise<Answer>,
): Promise<Answer | null> {
  const late = sleep(FORECAST_PATIENCE_MILLISECONDS, null, { ref: false });
  const answer = await Promise.race([asked.catch(() => null), late]);
  if (answer === null) logger.warn({ executionId }, 'submitted on its old plan: no forecast in time');
  return answer;
}

const FORECAST_PATIENCE_MILLISECONDS = 2000;

/** Decides a submitted reservation once its moment has come, from what the site has been seen to do. */
export async function decideReservationStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const now = context.clock.now();
  const verdict = decidePromise(execution, reservation, await lastSeen(context, execution, reservation), now);
  if (verdict === 'UNDECIDED') {
    const wakeAt = Math.max(reservation.startAt, now + context.settings.observeIntervalSeconds);
    return commitStep(context, turn, { wakeAt }, (tx) => assertTurn(tx, turn));
  }
  const cancels = verdict === 'MISSED' && reservation.ifMissed === 'CANCEL';
  return commitStep(context, turn, cancels ? 'AGAIN' : { wakeAt: null }, async (tx) => {
    await wakeGroup(tx, reservation, now);
    await assertTurn(tx, turn);
    await moveReservation(tx, reservation, verdict, now);
    if (cancels) await requestCancel(tx, execution.id, 'it had not started by the reserved time', now);
  });
}

/**
 * What the site's newest snapshot shows of the job, or by asking for a leg, for the others must hear soon what became
 * of it. The row itself proves nothing: it is told what a snapshot shows some time after that is stored, and not at all
 * by an observer who died in between.
 */
async function lastSeen(
  context: FlowContext,
  execution: ExecutionRow,
  { startAt, coAllocationId }: ReservationRow,
): Promise<LastSeen> {
  const site = await siteOf(context, execution);
  const snapshot = await readSnapshot(context.database.db, site.id);
  const askedAt = context.clock.now();
  if (coAllocationId !== null && askedAt >= startAt && (snapshot?.observedAt ?? 0) < startAt) {
    const phase = await askPhase(context, context.adapterOf(site), execution);
    return { waitingAt: phase === 'WAITING' ? askedAt : null, runningAt: phase === 'RUNNING' ? askedAt : null };
  }
  const key = submissionKey(execution.id, execution.attempts);
  const isOurs = (job: { readonly key: string | null }) => job.key === key;
  return {
    waitingAt: snapshot?.waiting.some(isOurs) ? snapshot.observedAt : null,
    runningAt: snapshot?.running.some(isOurs) ? snapshot.observedAt : null,
  };
}
