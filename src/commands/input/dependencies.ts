import { MOST_PREDECESSORS } from '../../domain/dependency.ts';
import type { Db } from '../../store/database.ts';
import { lockPredecessors, type NewDependency } from '../../store/dependencies.ts';
import type { Principal } from '../../store/principals.ts';
import type { FaultList } from './faults.ts';
import { notFound } from './not-found.ts';

/** Adds what is wrong with the jobs that a job is to come after, whoever they are. */
export function checkDependencies(faults: FaultList, after: readonly NewDependency[], field: string): void {
  const message = `a job comes after at most ${MOST_PREDECESSORS} others, these are ${after.length}; chain some of them`;
  faults.require(after.length <= MOST_PREDECESSORS, field, message);
  const seen = new Set<string>();
  for (const [index, { predecessorId }] of after.entries()) {
    const twice = `${field}[${index}].jobId names a job for the second time; name each once`;
    faults.require(!seen.has(predecessorId), `${field}[${index}].jobId`, twice);
    seen.add(predecessorId);
  }
}

/**
 * Makes sure, until the caller's transaction ends, that the jobs exist and that none of them ends unseen.
 * @throws CallerError NOT_FOUND for the first that is not the tenant's
 */
export async function lockDependencies(
  tx: Db,
  { tenantId }: Principal,
  after: readonly NewDependency[],
  field: string,
): Promise<void> {
  if (after.length === 0) return;
  const ids = after.map(({ predecessorId }) => predecessorId);
  const known = await lockPredecessors(tx, tenantId, ids);
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing >= 0) throw notFound('job', `${field}[${missing}].jobId`);
}
