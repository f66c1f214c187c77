import { invariant } from '../domain/failures.ts';
import { publishChange } from '../store/events.ts';
import { findExecution } from '../store/executions.ts';
import { wakeRow } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { findReservation } from '../store/reservations.ts';
import { type CancelInput, cancelExecutions } from './cancel/cancel-executions.ts';
import { carryOut } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { notFound } from './input/not-found.ts';

/**
 * Asks for a reservation and its job to be cancelled. Returning means the wish is written down together with the
 * wake-up that carries it out. A leg of a co-allocation may be cancelled by itself; its group is told.
 * @throws CallerError NOT_FOUND, or ALREADY_ENDED when its job has ended already
 */
export function cancelReservation(
  context: CommandContext,
  principal: Principal,
  input: CancelInput,
): Promise<{ reservationId: string }> {
  return carryOut(context, principal, 'cancelReservation', input, async (commit) => {
    const { db } = context.database;
    const reservation = await findReservation(db, input.id);
    if (!reservation || reservation.tenantId !== principal.tenantId) {
      throw notFound('reservation', 'input.id');
    }
    const { id: reservationId, tenantId, executionId, coAllocationId } = reservation;
    const execution = await findExecution(db, executionId);
    invariant(execution, `reservation ${reservationId} has no execution`);
    return commit(async (tx) => {
      if (coAllocationId) {
        await wakeRow(tx, 'CoAllocation', coAllocationId, context.clock.now(), context.requestId);
      }
      await cancelExecutions(tx, context, [execution], 'reservation');
      await publishChange(tx, { type: 'RESERVATION', id: reservationId, tenantId });
      return { reservationId };
    });
  });
}
