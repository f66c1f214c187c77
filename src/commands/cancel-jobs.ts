import { CallerError } from '../domain/failures.ts';
import { type CancelScope, countOpenJobs, createBulkCancel, findOpenJobs, lockIntake } from '../store/bulk-cancels.ts';
import { type JobConditions, jobsWhere } from '../store/job-filter.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertMay, mayCancelOthers } from './carry-out/permissions.ts';

/** Which jobs are to be cancelled. */
export interface CancelJobsInput extends Idempotent {
  readonly conditions: JobConditions;
  /** How many its caller believes that these are; null for any. */
  readonly expectedCount: number | null;
}

/** How many jobs a wish is about. */
export interface CancelledJobs {
  /** Those that are asked to be cancelled, or would be. */
  readonly matched: number;
  /** The moment of the wish, in epoch seconds. */
  readonly wantedAt: number;
  /** Null where nothing was done. */
  readonly bulkCancelId: string | null;
}

/** Jobs that one call cancels. */
export const MOST_CANCELLED = 50_000;

/** How many open jobs a caller would cancel. Changes nothing. */
export async function countCancellable(
  context: CommandContext,
  principal: Principal,
  { conditions, expectedCount }: CancelJobsInput,
): Promise<CancelledJobs> {
  assertMay(principal, 'cancelJobs');
  assertSaysWhich(conditions);
  const matched = await countOpenJobs(context.database.db, scopeOf(principal, conditions));
  assertExpected(matched, expectedCount);
  return { matched, wantedAt: context.clock.now(), bulkCancelId: null };
}

/**
 * Asks for all open jobs to be cancelled that meet some conditions. Returning means that the wish is written down with
 * every one of them, and workers carry it out in pieces. Jobs that are being written down in the same moment are no
 * way out: whatever was asked for before the wish is cancelled, too. Who may cancel only own jobs cancels own ones.
 * @throws CallerError INVALID where nothing says which, there are too many, or not as many as expected
 */
export function cancelJobs(
  context: CommandContext,
  principal: Principal,
  input: CancelJobsInput,
): Promise<{ matched: number; wantedAt: number; bulkCancelId: string | null }> {
  return carryOut(context, principal, 'cancelJobs', input, async (commit) => {
    assertSaysWhich(input.conditions);
    const scope = scopeOf(principal, input.conditions);
    return commit(async (tx) => {
      await lockIntake(tx, principal.tenantId);
      const now = context.clock.now();
      const ids = await findOpenJobs(tx, scope, MOST_CANCELLED + 1);
      assertExpected(ids.length, input.expectedCount);
      const { requestId } = context;
      const bulkCancelId = await createBulkCancel(tx, scope, { asker: principal.id, requestId, ids, now });
      await enqueueWakeUps(tx, [{ kind: 'BULK_CANCEL', targetId: bulkCancelId, wakeAt: now, requestId }]);
      return { matched: ids.length, wantedAt: now, bulkCancelId };
    });
  });
}

function scopeOf(principal: Principal, conditions: JobConditions): CancelScope {
  const { tenantId, id } = principal;
  return { tenantId, principalId: mayCancelOthers(principal) ? null : id, conditions };
}

/** A condition that leaves nothing out, such as an empty list of labels, is none. */
function assertSaysWhich(conditions: JobConditions): void {
  if (Object.keys(jobsWhere(conditions)).length > 0) return;
  const message = 'filter names no condition, which would be every job; give one, such as the states that are meant';
  throw new CallerError('INVALID', 'input.filter', message);
}

function assertExpected(matched: number, expectedCount: number | null): void {
  if (matched > MOST_CANCELLED) {
    const message = `more than ${MOST_CANCELLED} jobs are meant, which is the most of one call; narrow the filter`;
    throw new CallerError('INVALID', 'input.filter', message);
  }
  if (expectedCount === null || expectedCount === matched) return;
  const message = `${matched} open jobs are meant, not ${expectedCount}; look at them again and say how many, or leave expectedCount out`;
  throw new CallerError('INVALID', 'input.expectedCount', message);
}
