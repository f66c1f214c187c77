import { MOST_PREDECESSORS } from '../../domain/dependency.ts';
import type { AutoWalltime } from '../../domain/plan.ts';
import type { Db } from '../../store/database.ts';
import {
  lockGroups,
  lockPredecessors,
  type NewDependency,
  type NewGroupDependency,
  saveDependencies,
  saveGroupDependencies,
} from '../../store/dependencies.ts';
import type { NewExecution } from '../../store/executions.ts';
import type { Principal } from '../../store/principals.ts';
import type { FaultList } from './faults.ts';
import { notFound } from './not-found.ts';

/** What a job comes after. */
interface OrderInput {
  readonly after?: readonly NewDependency[];
  readonly afterGroups?: readonly NewGroupDependency[];
  /** The one ahead of whose end it is submitted. */
  readonly startAfter?: NewDependency;
  readonly auto?: AutoWalltime;
  readonly sizes?: unknown;
}

/** Adds what is wrong with the jobs that a job is to come after, whoever they are. */
export function checkDependencies(faults: FaultList, input: OrderInput): void {
  const all = placed(input);
  const { afterGroups = [] } = input;
  const count = all.length + afterGroups.length;
  const message = `a job comes after at most ${MOST_PREDECESSORS} others, these are ${count}; chain some of them`;
  faults.require(count <= MOST_PREDECESSORS, 'input.after', message);
  const groups = new Set(afterGroups.map(({ groupId }) => groupId));
  faults.require(groups.size === afterGroups.length, 'input.after', 'after names a group twice; name each once');
  const ahead = 'startAfter goes with jobs and not with groups, whose last end nobody foresees; use after for both';
  faults.require(input.startAfter === undefined || groups.size === 0, 'input.startAfter', ahead);
  const seen = new Set<string>();
  for (const { predecessorId, field } of all) {
    faults.require(!seen.has(predecessorId), field, `${field} names a job for the second time; name each once`);
    seen.add(predecessorId);
  }
  const isChosen = input.auto !== undefined || (input.sizes !== undefined && input.sizes !== null);
  const stated =
    'startAfter goes with a size and a walltime that are stated; state processors and walltimeSeconds, or use after';
  faults.require(input.startAfter === undefined || !isChosen, 'input.startAfter', stated);
}

/** Whether a job is to come after any others. */
export function isAfterOthers(input: OrderInput): boolean {
  return placed(input).length > 0 || (input.afterGroups?.length ?? 0) > 0;
}

/**
 * Makes sure, until the caller's transaction ends, that the jobs and groups exist and that none of them ends unseen.
 * @returns what writes down that an execution comes after them
 * @throws CallerError NOT_FOUND for the first that is not the tenant's
 */
export async function lockOrder(
  tx: Db,
  principal: Principal,
  input: OrderInput,
): Promise<(executionId: string) => Promise<void>> {
  const dependencies = await lockDependencies(tx, principal, input);
  const afterGroups = await lockGroupDependencies(tx, principal, input);
  return async (executionId) => {
    await saveDependencies(tx, executionId, dependencies);
    await saveGroupDependencies(tx, executionId, afterGroups);
  };
}

async function lockDependencies(tx: Db, { tenantId }: Principal, input: OrderInput): Promise<readonly NewDependency[]> {
  const all = placed(input);
  if (all.length === 0) return [];
  const ids = all.map(({ predecessorId }) => predecessorId);
  const known = await lockPredecessors(tx, tenantId, ids);
  const missing = all.find(({ predecessorId }) => !known.has(predecessorId));
  if (missing) throw notFound('job', missing.field);
  return all.map(({ predecessorId, condition }) => ({ predecessorId, condition }));
}

async function lockGroupDependencies(
  tx: Db,
  { tenantId }: Principal,
  { afterGroups = [] }: OrderInput,
): Promise<readonly NewGroupDependency[]> {
  if (afterGroups.length === 0) return [];
  const ids = afterGroups.map(({ groupId }) => groupId);
  const known = await lockGroups(tx, tenantId, ids);
  if (ids.some((id) => !known.has(id))) throw notFound('group', 'input.after');
  return afterGroups;
}

/** Whether a job waits for others, and whether it is to be ahead of the last end. */
export function orderOf(input: OrderInput): Pick<NewExecution, 'awaits' | 'startsAhead'> {
  return {
    awaits: placed(input).length + (input.afterGroups?.length ?? 0) > 0,
    startsAhead: input.startAfter !== undefined,
  };
}

/** All of them with their places in the input. */
function placed({ after = [], startAfter }: OrderInput): (NewDependency & { readonly field: string })[] {
  const others = after.map((dependency, index) => ({ ...dependency, field: `input.after[${index}].jobId` }));
  return startAfter ? [...others, { ...startAfter, field: 'input.startAfter.jobId' }] : others;
}
