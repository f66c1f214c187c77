import { flatRule, type LegStanding } from '../../domain/co-allocation.ts';
import { CANCELLED_BY_CALLER } from '../../domain/execution.ts';
import { RESERVATION_MOVES } from '../../domain/reservation.ts';
import { isFinal } from '../../domain/state-machine.ts';
import { decideCoAllocation } from '../../plan/decide-co-allocation.ts';
import { type CoAllocationRow, moveCoAllocation } from '../../store/co-allocations.ts';
import { findExecutions, requestCancel } from '../../store/executions.ts';
import { wakeRow } from '../../store/outbox.ts';
import { findLegs, type ReservationRow } from '../../store/reservations.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';

/**
 * Looks how the legs of a co-allocation stand and decides it as soon as its rule allows. The legs that are not needed are
 * asked to cancel in the same transaction, so that none is left holding processors. A group whose caller has asked for every
 * leg to be cancelled is cancelled itself.
 */
export async function coAllocateStep(context: FlowContext, turn: Turn, group: CoAllocationRow): Promise<Next> {
  const now = context.clock.now();
  const { db } = context.database;
  const legs = await findLegs(db, [group.id]);
  const executions = await findExecutions(
    db,
    legs.map((leg) => leg.executionId),
  );
  if (executions.every(({ cancelReason }) => cancelReason === CANCELLED_BY_CALLER)) {
    return commitStep(context, turn, { wakeAt: null }, (tx) => moveCoAllocation(tx, turn, group, 'CANCELLED', now));
  }
  const startedAt = new Map(executions.map((execution) => [execution.id, execution.startedAt]));
  const standings = legs.map((leg) => standingOf(leg, startedAt.get(leg.executionId) ?? null));
  // What the sites did up to the common start is only seen in observations made after it.
  const settled = legs.every((leg) => isFinal(RESERVATION_MOVES, leg.state));
  const seenAt = settled ? now : Math.min(now, group.startAt - 1);
  const rule = flatRule(
    group.rule,
    group.atLeast,
    legs.map(({ id }) => id),
  );
  const decision = decideCoAllocation(rule, standings, group.startAt, seenAt);
  if (decision.kind === 'PENDING') {
    const wakeAt = now < group.startAt ? group.startAt : now + context.settings.observeIntervalSeconds;
    return commitStep(context, turn, { wakeAt }, (tx) => assertTurn(tx, turn));
  }
  const losers = new Set(decision.losers);
  const why = decision.kind === 'SUCCEEDED' ? 'another leg won' : 'the co-allocation failed';
  return commitStep(context, turn, { wakeAt: null }, async (tx) => {
    await moveCoAllocation(tx, turn, group, decision.kind, now);
    for (const leg of legs.filter(({ id }) => losers.has(id))) {
      await requestCancel(tx, leg.executionId, why, now);
      await wakeRow(tx, 'Execution', leg.executionId, now, group.requestId);
    }
  });
}

function standingOf(leg: ReservationRow, startedAt: number | null): LegStanding {
  const holds = leg.state === 'HOLDING' || leg.state === 'KEPT';
  const failed = leg.state === 'MISSED' || leg.state === 'CANCELLED';
  return {
    legId: leg.id,
    state: holds ? 'HOLDING' : failed ? 'FAILED' : 'WAITING',
    heldSinceAt: holds ? startedAt : null,
  };
}
