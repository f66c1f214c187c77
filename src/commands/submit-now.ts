import { CallerError, invariant } from '../domain/failures.ts';
import { findExecution } from '../store/executions.ts';
import { letGoNow } from '../store/hold-queues.ts';
import { findPrincipalNames, type Principal } from '../store/principals.ts';
import { findReservationOf } from '../store/reservations.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertMayCancel } from './carry-out/permissions.ts';
import { notFound } from './input/not-found.ts';

/** A job that is not to be held back any longer. */
export interface SubmitNowInput extends Idempotent {
  readonly id: string;
}

/**
 * Has a job that is held back submitted at once, and never held back again. Returning means the wish is written down
 * together with the wake-up that carries it out; one that is at its site by now stays as it is.
 * @throws CallerError NOT_FOUND, FORBIDDEN when it is somebody else's, ALREADY_ENDED, INVALID for a reservation's body
 */
export function submitNow(
  context: CommandContext,
  principal: Principal,
  input: SubmitNowInput,
): Promise<{ executionId: string }> {
  return carryOut(context, principal, 'submitNow', input, async (commit) => {
    const { db } = context.database;
    const execution = await findExecution(db, input.id);
    if (!execution || execution.tenantId !== principal.tenantId) throw notFound('job', 'input.id');
    const [owner] = await findPrincipalNames(db, [execution.principalId]);
    invariant(owner, `job ${execution.id} has no owner`);
    assertMayCancel(principal, owner);
    if (execution.state === 'ENDED') {
      const message = `this job has already ended (${execution.outcome}); there is nothing to submit`;
      throw new CallerError('ALREADY_ENDED', 'input.id', message);
    }
    if (await findReservationOf(db, execution.id)) {
      const message =
        'this job is the body of a reservation, which says when it is submitted; reserve again for another time';
      throw new CallerError('INVALID', 'input.id', message);
    }
    return commit(async (tx) => {
      await letGoNow(tx, execution, context.clock.now(), context.requestId);
      return { executionId: execution.id };
    });
  });
}
