import type { EpochSeconds } from '../domain/clock.ts';
import type { ExecutionOutcome, ExecutionState } from '../domain/execution.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { wakeGroupSuccessors } from './outbox.ts';
import { newestFirst, type Page, type PageRequest, toPage } from './pages.ts';
import { assertTurn, type Turn } from './turns.ts';

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

export async function findJobGroup(db: Db, id: string): Promise<JobGroupRow | null> {
  return withMoments(await db.jobGroup.findUnique({ where: { id } }));
}

/**
 * Writes down why tasks of a group wait, and tells its followers that tasks may have moved.
 * @throws StaleTurn when another worker has taken the turn
 */
export async function describeGroup(
  tx: Db,
  turn: Turn,
  { id, tenantId }: JobGroupRow,
  { reason, stuckSince }: { reason: string | null; stuckSince: EpochSeconds | null },
): Promise<void> {
  await assertTurn(tx, turn);
  await tx.jobGroup.update({ where: { id }, data: { reason, stuckSince: toDate(stuckSince) } });
  await publishChange(tx, { type: 'JOB_GROUP', id, tenantId });
}

/**
 * Writes down that the last task of a group has ended and wakes what comes after it.
 * @throws StaleTurn when another worker has taken the turn
 */
export async function closeGroup(tx: Db, turn: Turn, { id, tenantId }: JobGroupRow, now: EpochSeconds): Promise<void> {
  await assertTurn(tx, turn);
  const data = { endedAt: toDate(now), reason: null, stuckSince: null };
  const { count } = await tx.jobGroup.updateMany({ where: { id, endedAt: null }, data });
  if (count > 0) await wakeGroupSuccessors(tx, id, now);
  await publishChange(tx, { type: 'JOB_GROUP', id, tenantId });
}

/** Keeps what is known of how many jobs sites take. */
export async function saveSiteLimits(db: Db, id: string, limits: object): Promise<void> {
  await db.jobGroup.update({ where: { id }, data: { siteLimits: limits as Prisma.InputJsonObject } });
}
