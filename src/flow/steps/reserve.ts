import { loadMargins, worthAsPromise } from '../../forecast/margins.ts';
import { reservationQuestion } from '../../forecast/reservation-question.ts';
import { aimedProbability } from '../../plan/aim.ts';
import { holdUntil, longestHoldSeconds } from '../../plan/hold.ts';
import { replan } from '../../plan/replan.ts';
import { withinCap } from '../../plan/reserve.ts';
import { changeExecution, type ExecutionRow, requestCancel } from '../../store/executions.ts';
import { wakeRow } from '../../store/outbox.ts';
import { moveReservation, type ReservationRow, saveTrajectory } from '../../store/reservations.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { decidePromise } from './promise.ts';
import { moveReservationFrom, siteOf, submitStep } from './submit.ts';

/**
 * Waits with a promised reservation: recomputes its trajectory every few minutes and chooses the submission time anew, aiming
 * above the promise by what earlier promises at the site taught. Submission is the point of no return (VARQ, section 3).
 */
export async function holdReservationStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const now = context.clock.now();
  if (now >= reservation.startAt) return missUnsubmitted(context, turn, execution, reservation);
  const { recomputeIntervalSeconds } = context.settings;
  const plannedAt = execution.submitAt ?? now;
  const fresh = now - reservation.recomputedAt < recomputeIntervalSeconds;
  if (plannedAt <= now && fresh) return submitStep(context, turn, execution, reservation);
  if (fresh) {
    const wakeAt = Math.min(plannedAt, reservation.recomputedAt + recomputeIntervalSeconds);
    return commitStep(context, turn, { wakeAt }, (tx) => assertTurn(tx, turn));
  }
  const site = await siteOf(context, execution);
  const queue = site.queues.find(({ name }) => name === execution.siteQueue) ?? null;
  const { probability, mode, startAt, windowOpensAt, maxPaddingProcessorSeconds } = reservation;
  const { processors, walltimeSeconds } = execution;
  const margin = (await loadMargins(context.database.db, site.id))(probability);
  const terms = { processors, walltimeSeconds, startAt, probability, mode, windowOpensAt, maxPaddingProcessorSeconds };
  const question = reservationQuestion(terms, queue, margin, now);
  const { offer } = await context.forecaster.offerReservation(site.id, question);
  const held = { probability, aimedProbability: aimedProbability(probability, margin), submitAt: plannedAt };
  const point = replan(held, withinCap(question, offer.trajectory));
  const submitAt = point?.submitAt ?? now;
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeExecution(tx, turn, execution, { submitAt }, now);
    const paddingSeconds = longestHoldSeconds(holdUntil(mode, startAt, windowOpensAt), submitAt);
    await saveTrajectory(tx, reservation.id, {
      trajectory: offer.trajectory,
      currentProbability: worthAsPromise(point?.probability ?? 0, probability, margin),
      worstPaddingProcessorSeconds: paddingSeconds * execution.processors,
      now,
    });
  });
}

/** Decides a submitted reservation once its moment has come, from what the site has been seen to do. */
export async function decideReservationStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const verdict = decidePromise(execution, reservation, site.observedAt, now);
  if (verdict === 'UNDECIDED') {
    const wakeAt = Math.max(reservation.startAt, now + context.settings.observeIntervalSeconds);
    return commitStep(context, turn, { wakeAt }, (tx) => assertTurn(tx, turn));
  }
  const cancels = verdict === 'MISSED' && reservation.ifMissed === 'CANCEL';
  return commitStep(context, turn, cancels ? 'AGAIN' : { wakeAt: null }, async (tx) => {
    await assertTurn(tx, turn);
    await moveReservation(tx, reservation, verdict, now);
    if (cancels) await requestCancel(tx, execution.id, 'it had not started by the reserved time', now);
    if (reservation.coAllocationId) await wakeRow(tx, 'CoAllocation', reservation.coAllocationId, now, null);
  });
}

async function missUnsubmitted(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const now = context.clock.now();
  const reason = 'the reserved time came before the site accepted the job';
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'REJECTED', reason, endedAt: now }, now);
    await moveReservationFrom(tx, reservation, ['PROMISED'], 'MISSED', now);
  });
}
