import { CANCELLED_BY_CALLER } from '../../domain/execution.ts';
import { CallerError } from '../../domain/failures.ts';
import type { Db } from '../../store/database.ts';
import { publishChange } from '../../store/events.ts';
import { type ExecutionRow, requestCancel } from '../../store/executions.ts';
import { wakeRow } from '../../store/outbox.ts';
import type { Idempotent } from '../carry-out/carry-out.ts';
import type { CommandContext } from '../carry-out/context.ts';

/** Something to be cancelled. */
export interface CancelInput extends Idempotent {
  readonly id: string;
}

/**
 * Asks for executions to be cancelled and wakes them, in the caller's transaction.
 * @param what the caller cancels, for the message
 * @throws CallerError ALREADY_ENDED when every one has already ended, unless by a cancellation
 */
export async function cancelExecutions(
  tx: Db,
  { clock, requestId }: CommandContext,
  executions: readonly ExecutionRow[],
  what: string,
): Promise<void> {
  const now = clock.now();
  let asked = 0;
  for (const { id, tenantId } of [...executions].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (!(await requestCancel(tx, id, CANCELLED_BY_CALLER, now))) continue;
    asked++;
    await wakeRow(tx, 'Execution', id, now, requestId);
    await publishChange(tx, { type: 'EXECUTION', id, tenantId });
  }
  if (asked > 0 || executions.every(({ outcome }) => outcome === 'CANCELLED')) return;
  const outcomes = [...new Set(executions.map(({ outcome }) => outcome))].join(', ');
  throw new CallerError(
    'ALREADY_ENDED',
    'input.id',
    `this ${what} has already ended (${outcomes}); nothing is left to cancel`,
  );
}
