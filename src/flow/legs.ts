import type { EpochSeconds } from '../domain/clock.ts';
import { invariant } from '../domain/failures.ts';
import type { Db } from '../store/database.ts';
import { type ExecutionRow, findExecutions } from '../store/executions.ts';
import { wakeRow } from '../store/outbox.ts';
import { findLegs, type ReservationRow } from '../store/reservations.ts';

/** A leg of a co-allocation as it stands for its name in the rule. */
export interface Leg {
  readonly legId: string;
  readonly reservation: ReservationRow;
  readonly execution: ExecutionRow;
  /** Those it was put in place of, the first one first. */
  readonly predecessors: readonly ExecutionRow[];
}

/** The legs of a co-allocation; where a leg was replaced, the newest. */
export async function loadLegs(db: Db, coAllocationId: string): Promise<Leg[]> {
  const reservations = await findLegs(db, [coAllocationId]);
  const executions = await findExecutions(
    db,
    reservations.map(({ executionId }) => executionId),
  );
  const byId = new Map(executions.map((execution) => [execution.id, execution]));
  const legs = new Map<string, Leg>();
  for (const reservation of reservations) {
    const { legId, executionId } = reservation;
    const execution = byId.get(executionId);
    invariant(legId !== null && execution, `reservation ${reservation.id} is no leg`);
    const before = legs.get(legId);
    const predecessors = before ? [...before.predecessors, before.execution] : [];
    legs.set(legId, { legId, reservation, execution, predecessors });
  }
  return [...legs.values()];
}

/**
 * Asks for a turn of the co-allocation that a promise is a leg of, if it is one. First in its transaction: a group is
 * locked before its legs everywhere (see docs/decisions/033), or two transactions might wait for each other.
 */
export async function wakeGroup(tx: Db, reservation: ReservationRow | null, now: EpochSeconds): Promise<void> {
  if (reservation?.coAllocationId) await wakeRow(tx, 'CoAllocation', reservation.coAllocationId, now, null);
}

/** The sites where a leg lives, however it stands. */
export function sitesInUse(legs: readonly Leg[]): (string | null)[] {
  return legs.filter(({ execution }) => execution.state !== 'ENDED').map(({ execution }) => execution.siteId);
}
