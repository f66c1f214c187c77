import type { EpochSeconds } from '../domain/clock.ts';
import { CANCELLED_BY_CALLER } from '../domain/execution.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockThing, shareThings } from './advisory-locks.ts';
import type { Db } from './database.ts';
import { publishChanges } from './events.ts';
import { ANY, gathered } from './gathered.ts';
import { type JobConditions, jobsWhere } from './job-filter.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';
import { endUnsent } from './unsent-jobs.ts';

/** A wish to cancel many executions. */
export type BulkCancelRow = WithMoments<Prisma.BulkCancelGetPayload<Record<string, never>>>;

/** Whose jobs are meant, and which. */
export interface CancelScope {
  readonly tenantId: string;
  /** Only that principal's; null for all of the tenant's. */
  readonly principalId: string | null;
  readonly conditions: JobConditions;
}

/**
 * Waits until every job of a tenant that is being written down is there, or will see what the caller's transaction
 * writes.
 */
export async function lockIntake(tx: Db, tenantId: string): Promise<void> {
  await lockThing(tx, 'intake', tenantId);
}

/** Lets nobody believe until the transaction ends that all jobs of a tenant are there. */
export const shareIntake: (tx: Db, tenantId: string) => Promise<void> = gathered(ANY, async (tx, tenantIds) => {
  await shareThings(tx, 'intake', tenantIds);
  return tenantIds.map(() => undefined);
});

/**
 * The open jobs that are meant, at most `limit`: those that are at no site yet come first, so that they go to none, and
 * of each state the oldest. Bodies of reservations are none of them.
 */
export async function findOpenJobs(db: Db, scope: CancelScope, limit: number): Promise<string[]> {
  const orderBy = [{ state: 'asc' as const }, { createdAt: 'asc' as const }, { id: 'asc' as const }];
  const rows = await db.execution.findMany({ where: openJobs(scope), orderBy, take: limit, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** How many there are. */
export function countOpenJobs(db: Db, scope: CancelScope): Promise<number> {
  return db.execution.count({ where: openJobs(scope) });
}

function openJobs({ tenantId, principalId, conditions }: CancelScope): Prisma.ExecutionWhereInput {
  const own = principalId === null ? {} : { principalId };
  const open = { reservation: null, state: { not: 'ENDED' as const } };
  return { tenantId, ...own, ...open, AND: [jobsWhere(conditions)] };
}

/** Writes the wish down with the jobs that are there. */
export async function createBulkCancel(
  tx: Db,
  { tenantId, principalId, conditions }: CancelScope,
  wish: {
    readonly asker: string;
    readonly requestId: string;
    readonly ids: readonly string[];
    readonly now: EpochSeconds;
  },
): Promise<string> {
  const { asker, requestId, ids, now } = wish;
  const filter = { principalId, conditions } as unknown as Prisma.InputJsonObject;
  const who = { tenantId, principalId: asker, requestId };
  const { id } = await tx.bulkCancel.create({
    data: { ...who, filter, ids: [...ids], wantedAt: toDate(now), wakeAt: toDate(now) },
  });
  return id;
}

export async function findBulkCancel(db: Db, id: string): Promise<BulkCancelRow | null> {
  return withMoments(await db.bulkCancel.findUnique({ where: { id } }));
}

/**
 * Ends those of some executions that were never handed in, and asks for the others to be cancelled, in turns of their
 * own. The first reason of each stays; those that have ended are left as they are. Returns how many it has ended.
 */
export async function cancelAll(
  tx: Db,
  ids: readonly string[],
  wantedAt: EpochSeconds,
  now: EpochSeconds,
): Promise<number> {
  await tx.$queryRaw`
    SELECT 1 FROM "Execution" WHERE "id" = ANY(${[...ids]}::uuid[]) AND "state" <> 'ENDED'
     ORDER BY "id" FOR NO KEY UPDATE`;
  const ended = await endUnsent(tx, ids, wantedAt, now);
  if (ended < ids.length) await requestCancels(tx, ids, wantedAt, now);
  return ended;
}

/** The caller has locked them. */
async function requestCancels(
  tx: Db,
  ids: readonly string[],
  wantedAt: EpochSeconds,
  now: EpochSeconds,
): Promise<void> {
  const asked = await tx.$queryRaw<{ id: string; tenantId: string }[]>`
    WITH asked AS (
      UPDATE "Execution" e
         SET "cancelRequestedAt" = COALESCE(e."cancelRequestedAt", to_timestamp(${wantedAt}::float8)),
             "cancelReason" = COALESCE(e."cancelReason", ${CANCELLED_BY_CALLER}),
             "wakeAt" = LEAST(e."wakeAt", to_timestamp(${now}::float8))
       WHERE e."id" = ANY(${[...ids]}::uuid[]) AND e."state" <> 'ENDED'
      RETURNING e."id", e."tenantId", e."wakeAt", e."leaseExpiresAt"),
    written AS (
      INSERT INTO "Outbox" ("kind", "targetId", "wakeAt", "createdAt")
      SELECT 'EXECUTION', "id", "wakeAt", clock_timestamp() FROM asked WHERE "leaseExpiresAt" IS NULL RETURNING 1),
    told AS (SELECT pg_notify(${OUTBOX_CHANNEL}, '') FROM written LIMIT 1)
    SELECT "id"::text AS "id", "tenantId"::text AS "tenantId" FROM asked WHERE (SELECT count(*) FROM told) >= 0`;
  await publishChanges(
    tx,
    asked.map(({ id, tenantId }) => ({ type: 'EXECUTION', id, tenantId })),
  );
}

/** How many executions of a tenant wait for the turn in which they are cancelled. */
export async function countDueCancels(db: Db, tenantId: string, now: EpochSeconds): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "Execution"
     WHERE "tenantId" = ${tenantId}::uuid AND "wakeAt" <= to_timestamp(${now}::float8) AND "leaseExpiresAt" IS NULL
       AND "cancelRequestedAt" IS NOT NULL AND "state" <> 'ENDED'`;
  return row?.count ?? 0;
}

/** Writes down how many of a wish's executions have been ended or asked for; all of them end it. */
export async function noteCancelled(
  tx: Db,
  { id, ids }: BulkCancelRow,
  done: number,
  now: EpochSeconds,
): Promise<void> {
  const isOver = done >= ids.length;
  const data = { done, ...(isOver && { endedAt: toDate(now) }) };
  await tx.bulkCancel.update({ where: { id }, data, select: { id: true } });
}

/**
 * Cancels those of new jobs that somebody has wanted to cancel since they were asked for: their wish was written down
 * while they were on their way here. The caller has a share of the tenant's intake.
 * @param createdAt when they were asked for
 */
export async function cancelIfWanted(
  tx: Db,
  tenantId: string,
  which: { readonly id: string } | { readonly groupId: string },
  createdAt: EpochSeconds,
): Promise<void> {
  const wishes = await listWishes(tx, { tenantId, since: toDate(createdAt) });
  for (const { filter, wantedAt } of wishes) {
    const scope = { tenantId, ...(filter as unknown as Omit<CancelScope, 'tenantId'>) };
    const where = { AND: [openJobs(scope), which] };
    const rows = await tx.execution.findMany({ where, select: { id: true } });
    const ids = rows.map((row) => row.id);
    const since = wantedAt.getTime() / 1000;
    if (ids.length > 0) await cancelAll(tx, ids, since, Math.max(since, createdAt));
  }
}

/** What a tenant has wanted to cancel since a moment, oldest first. */
const listWishes = gathered(
  ({ tenantId }: { readonly tenantId: string; readonly since: Date }) => tenantId,
  async (tx, asked) => {
    const tenantId = asked[0]?.tenantId ?? '';
    const first = new Date(Math.min(...asked.map(({ since }) => since.getTime())));
    const wishes = await tx.bulkCancel.findMany({
      where: { tenantId, wantedAt: { gte: first } },
      select: { filter: true, wantedAt: true },
      orderBy: { wantedAt: 'asc' },
    });
    return asked.map(({ since }) => wishes.filter(({ wantedAt }) => wantedAt >= since));
  },
);
