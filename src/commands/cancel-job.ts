import { CallerError, invariant } from '../domain/failures.ts';
import { findExecution } from '../store/executions.ts';
import { findPrincipalNames, type Principal } from '../store/principals.ts';
import { findReservationOf } from '../store/reservations.ts';
import { giveUpOutputs } from '../store/stagings.ts';
import { type CancelInput, cancelExecutions } from './cancel/cancel-executions.ts';
import { carryOut } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertMayCancel } from './carry-out/permissions.ts';
import { notFound } from './input/not-found.ts';

/**
 * Asks for a job to be cancelled, or that the outputs of one that has ended are moved no longer. Returning means the
 * wish is written down together with the wake-up that carries it out; asking again is no error.
 * @throws CallerError NOT_FOUND, FORBIDDEN when it is somebody else's, ALREADY_ENDED, or INVALID when it is the body of
 * a reservation
 */
export function cancelJob(
  context: CommandContext,
  principal: Principal,
  input: CancelInput,
): Promise<{ executionId: string }> {
  return carryOut(context, principal, 'cancelJob', input, async (commit) => {
    const { db } = context.database;
    const execution = await findExecution(db, input.id);
    if (!execution || execution.tenantId !== principal.tenantId) {
      throw notFound('job', 'input.id');
    }
    const [owner] = await findPrincipalNames(db, [execution.principalId]);
    invariant(owner, `job ${execution.id} has no owner`);
    assertMayCancel(principal, owner);
    if (await findReservationOf(db, execution.id)) {
      const message = 'this job is the body of a reservation; cancel that with cancelReservation';
      throw new CallerError('INVALID', 'input.id', message);
    }
    return commit(async (tx) => {
      const isGivenUp = execution.state === 'ENDED' && (await giveUpOutputs(tx, execution.id, context.clock.now()));
      if (!isGivenUp) await cancelExecutions(tx, context, [execution], 'job');
      return { executionId: execution.id };
    });
  });
}
