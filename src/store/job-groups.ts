import type { ExecutionOutcome, ExecutionState } from '../domain/execution.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { type WithMoments, withMoments } from './moments.ts';
import { newestFirst, type Page, type PageRequest, toPage } from './pages.ts';

/** The tasks of one array together. */
export type JobGroupRow = WithMoments<Prisma.JobGroupGetPayload<Record<string, never>>>;

/** How many tasks of a group are alike. */
export interface TaskTally {
  readonly groupId: string;
  readonly state: ExecutionState;
  /** Null until they have ended. */
  readonly outcome: ExecutionOutcome | null;
  readonly count: number;
}

export async function findJobGroups(db: Db, ids: readonly string[]): Promise<JobGroupRow[]> {
  return withMoments(await db.jobGroup.findMany({ where: { id: { in: [...ids] } } }));
}

/** The groups of a tenant, newest first. */
export async function listJobGroups(db: Db, tenantId: string, page: PageRequest): Promise<Page<JobGroupRow>> {
  const where = { tenantId };
  const [rows, totalCount] = await Promise.all([
    db.jobGroup.findMany(newestFirst(where, page)),
    db.jobGroup.count({ where }),
  ]);
  return toPage(withMoments(rows), totalCount, page);
}

/** How many tasks of each of some groups are in each state, and ended how. */
export async function tallyTasks(db: Db, groupIds: readonly string[]): Promise<TaskTally[]> {
  const groups = await db.execution.groupBy({
    by: ['groupId', 'state', 'outcome'],
    where: { groupId: { in: [...groupIds] } },
    _count: { _all: true },
  });
  return groups.flatMap(({ groupId, _count, ...what }) => {
    return groupId === null ? [] : [{ groupId, ...what, count: _count._all }];
  });
}
