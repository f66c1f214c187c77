import { findCoAllocation, requestGroupCancel } from '../store/co-allocations.ts';
import { publishChange } from '../store/events.ts';
import { findExecutions } from '../store/executions.ts';
import { wakeRow } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { findLegs } from '../store/reservations.ts';
import { type CancelInput, cancelExecutions } from './cancel/cancel-executions.ts';
import { carryOut } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { notFound } from './input/not-found.ts';

/**
 * Asks for every leg of a co-allocation to be cancelled, and the group with them. Returning means the wish is written
 * down for all of them in one transaction.
 * @throws CallerError NOT_FOUND, or ALREADY_ENDED when every leg has ended already
 */
export function cancelCoAllocation(
  context: CommandContext,
  principal: Principal,
  input: CancelInput,
): Promise<{ coAllocationId: string }> {
  return carryOut(context, principal, 'cancelCoAllocation', input, async (commit) => {
    const { db } = context.database;
    const group = await findCoAllocation(db, input.id);
    if (!group || group.tenantId !== principal.tenantId) {
      throw notFound('co-allocation', 'input.id');
    }
    const { id: coAllocationId, tenantId } = group;
    const legs = await findLegs(db, [coAllocationId]);
    const executions = await findExecutions(
      db,
      legs.map(({ executionId }) => executionId),
    );
    return commit(async (tx) => {
      await requestGroupCancel(tx, coAllocationId, context.clock.now());
      await wakeRow(tx, 'CoAllocation', coAllocationId, context.clock.now(), context.requestId);
      await cancelExecutions(tx, context, executions, 'co-allocation');
      for (const { id } of legs) await publishChange(tx, { type: 'RESERVATION', id, tenantId });
      await publishChange(tx, { type: 'CO_ALLOCATION', id: coAllocationId, tenantId });
      return { coAllocationId };
    });
  });
}
