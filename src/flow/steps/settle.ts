import type { ChargeKind } from '../../domain/charge.ts';
import { RESERVATION_MOVES } from '../../domain/reservation.ts';
import { isFinal } from '../../domain/state-machine.ts';
import { holdUntil, longestHoldSeconds } from '../../plan/hold.ts';
import type { Db } from '../../store/database.ts';
import { publishChange } from '../../store/events.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { findForecastsToScore } from '../../store/plans.ts';
import { moveReservation, type ReservationRow } from '../../store/reservations.ts';
import { saveCharges, saveScores } from '../../store/scores.ts';
import type { Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { wakeGroup } from './legs.ts';
import { decidePromise, UNSEEN } from './promise.ts';
import { scoresOf } from './score.ts';

/**
 * Books an ended execution: decides its promise if nobody has, charges it, scores its forecasts, tells its
 * co-allocation.
 */
export async function settleStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
): Promise<Next> {
  const now = context.clock.now();
  const verdict = reservation && finalVerdict(execution, reservation, now);
  const forecasts = execution.siteId
    ? await findForecastsToScore(context.database.db, execution.id, execution.siteId)
    : [];
  const { id: executionId, requestId, siteId, outcome, reason } = execution;
  context.logger.info({ requestId, executionId, siteId, outcome, reason, promise: verdict }, 'ended');
  return commitStep(context, turn, { wakeAt: null }, async (tx) => {
    await wakeGroup(tx, reservation, now);
    await changeExecution(tx, turn, execution, { settledAt: now }, now);
    const decided = reservation && verdict !== reservation.state;
    const promise = decided && verdict ? await moveReservation(tx, reservation, verdict, now) : reservation;
    await saveCharges(tx, execution.id, chargesOf(execution, promise), now);
    const heldSeconds = promise ? heldIdleSeconds(execution, promise) : 0;
    await saveScores(tx, scoresOf({ execution, reservation: promise, forecasts, heldSeconds }, now));
    if (reservation) await tellThatSettled(tx, reservation);
  });
}

/** Whoever follows a promise, or its group, waits for the charge too. */
async function tellThatSettled(tx: Db, { id, tenantId, coAllocationId }: ReservationRow): Promise<void> {
  await publishChange(tx, { type: 'RESERVATION', id, tenantId });
  if (coAllocationId !== null) await publishChange(tx, { type: 'CO_ALLOCATION', id: coAllocationId, tenantId });
}

function finalVerdict(execution: ExecutionRow, reservation: ReservationRow, now: number): ReservationRow['state'] {
  if (isFinal(RESERVATION_MOVES, reservation.state)) return reservation.state;
  if (execution.cancelRequestedAt !== null && execution.cancelRequestedAt < reservation.startAt) return 'CANCELLED';
  return decidePromise(execution, reservation, UNSEEN, Math.max(now, reservation.startAt)) === 'KEPT'
    ? 'KEPT'
    : 'MISSED';
}

/**
 * What the execution's processors were spent on. Without a reservation all is needed; with one the time before
 * `startAt` is padding, as is what it held early and gave back; a cancelled leg of a co-allocation is lost altogether,
 * and so is every run that the site took back.
 */
export function chargesOf(
  execution: Pick<ExecutionRow, 'startedAt' | 'endedAt' | 'processors' | 'earlierRunSeconds'>,
  reservation: Pick<
    ReservationRow,
    'state' | 'startAt' | 'mode' | 'windowOpensAt' | 'coAllocationId' | 'releasedProcessorSeconds'
  > | null,
): { kind: ChargeKind; processorSeconds: number }[] {
  const { startedAt, endedAt, processors, earlierRunSeconds } = execution;
  const released = reservation?.releasedProcessorSeconds ?? 0;
  const ranSeconds = startedAt === null || endedAt === null ? 0 : Math.max(0, endedAt - startedAt);
  const isLost = reservation?.state === 'CANCELLED' && reservation.coAllocationId !== null;
  const paddingSeconds = isLost || !reservation ? 0 : heldIdleSeconds(execution, reservation);
  const lostSeconds = earlierRunSeconds + (isLost ? ranSeconds : 0);
  const neededSeconds = isLost ? 0 : ranSeconds - paddingSeconds;
  const charges: { kind: ChargeKind; processorSeconds: number }[] = [
    { kind: 'NEEDED', processorSeconds: neededSeconds * processors },
    { kind: 'PADDING', processorSeconds: (isLost ? 0 : released) + paddingSeconds * processors },
    { kind: 'LOST', processorSeconds: (isLost ? released : 0) + lostSeconds * processors },
  ];
  // A job that ran is charged, however short it was, and so is a leg that lost.
  const main = isLost ? 'LOST' : reservation ? null : 'NEEDED';
  return charges.filter(({ kind, processorSeconds }) => processorSeconds > 0 || (startedAt !== null && kind === main));
}

/** How long a job that ran held its processors before its own work. */
function heldIdleSeconds(
  { startedAt, endedAt }: Pick<ExecutionRow, 'startedAt' | 'endedAt'>,
  { mode, startAt, windowOpensAt }: Pick<ReservationRow, 'mode' | 'startAt' | 'windowOpensAt'>,
): number {
  if (startedAt === null || endedAt === null) return 0;
  const holdUntilAt = Math.min(holdUntil(mode, startAt, windowOpensAt) ?? startedAt, endedAt);
  return longestHoldSeconds(holdUntilAt, startedAt);
}
