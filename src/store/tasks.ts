import type { EpochSeconds } from '../domain/clock.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { type ExecutionRow, type NewExecution, requestColumns } from './executions.ts';
import { toDate, withMoments } from './moments.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';
import { keepScript } from './scripts.ts';

/** An array as it is written down. */
export interface NewJobGroup {
  /** What each of its tasks is. */
  readonly task: NewExecution;
  readonly indexes: readonly number[];
  readonly mostAtOnce: number | null;
}

/**
 * Writes an array down: its group and a row for each task, which waits in it. All but the first are copies of that, by
 * one statement. They are made in its FROM: `(f(x)).*` in a SELECT calls f once for each of a hundred columns.
 * @returns the id of the group
 */
export async function createJobGroup(tx: Db, { task, indexes, mostAtOnce }: NewJobGroup): Promise<string> {
  const { tenantId, principalId, requestId, name, now, idempotencyKey = null } = task;
  const scriptHash = await keepScript(tx, task.script);
  const size = indexes.length;
  const who = { tenantId, principalId, requestId, name, idempotencyKey };
  const { id: groupId } = await tx.jobGroup.create({
    data: { ...who, size, mostAtOnce, createdAt: toDate(now), wakeAt: toDate(now) },
  });
  const [taskIndex = 0, ...others] = indexes;
  const columns = { ...requestColumns(task, scriptHash), state: 'REQUESTED', groupId, idempotencyKey: null } as const;
  const { id: firstId } = await tx.execution.create({ data: { ...columns, taskIndex }, select: { id: true } });
  await tx.$executeRaw`
    INSERT INTO "Execution"
    SELECT task.*
      FROM "Execution" t CROSS JOIN unnest(${others}::int[]) AS o("index")
     CROSS JOIN LATERAL
           jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'taskIndex', o."index")) AS task
     WHERE t."id" = ${firstId}::uuid`;
  await publishChange(tx, { type: 'JOB_GROUP', id: groupId, tenantId });
  return groupId;
}

/** Tasks that wait in their group for a site, and nobody has a turn of. */
const WAITING = Prisma.sql`e."state" = 'REQUESTED' AND NOT e."awaits" AND e."cancelRequestedAt" IS NULL
  AND e."leaseExpiresAt" IS NULL`;

/** The first task that waits in a group; null for none. */
export async function findWaitingTask(db: Db, groupId: string): Promise<ExecutionRow | null> {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT e."id"::text AS "id" FROM "Execution" e WHERE e."groupId" = ${groupId}::uuid AND ${WAITING}
     ORDER BY e."taskIndex" LIMIT 1`;
  const [first] = found;
  return first ? withMoments(await db.execution.findUnique({ where: { id: first.id } })) : null;
}

/**
 * Locks the waiting tasks of a group that ask the same question as one of them, in the order of their indexes, that one
 * among them, and returns their ids.
 */
export async function lockTasksLike(tx: Db, task: ExecutionRow, limit: number): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT e."id"::text AS "id" FROM "Execution" e, "Execution" like_
     WHERE like_."id" = ${task.id}::uuid AND e."groupId" = ${task.groupId}::uuid AND ${WAITING}
       AND e."walltimeSeconds" = like_."walltimeSeconds" AND e."processors" = like_."processors"
       AND e."resources" IS NOT DISTINCT FROM like_."resources"
     ORDER BY e."taskIndex" LIMIT ${limit}::int FOR NO KEY UPDATE OF e SKIP LOCKED`;
  return rows.map(({ id }) => id);
}

/** Where and how tasks of a group are run. */
export interface TaskAssignment {
  readonly ids: readonly string[];
  readonly siteId: string;
  readonly siteQueue: string | null;
  readonly reason: string;
  readonly walltimeSeconds: number;
  readonly walltimePredictor: string | null;
}

/** Lets locked tasks go to a site at once. Their turns until then are outdated. */
export async function releaseTasks(tx: Db, assignment: TaskAssignment, now: EpochSeconds): Promise<void> {
  const { ids, siteId, siteQueue, reason, walltimeSeconds, walltimePredictor } = assignment;
  await tx.$executeRaw`
    WITH released AS (
      UPDATE "Execution"
         SET "state" = 'HELD', "siteId" = ${siteId}::uuid, "siteQueue" = ${siteQueue}::text, "reason" = ${reason},
             "submitAt" = to_timestamp(${now}::float8), "walltimeSeconds" = ${walltimeSeconds}::int,
             "walltimePredictor" = ${walltimePredictor}::text, "wakeAt" = to_timestamp(${now}::float8),
             "version" = "version" + 1, "updatedAt" = to_timestamp(${now}::float8)
       WHERE "id" = ANY(${[...ids]}::uuid[]) RETURNING "id"),
    ${wakeUpsOf('released', now)}`;
}

/** Ends locked tasks that no site takes; their own turns book that. */
export async function rejectTasks(tx: Db, ids: readonly string[], reason: string, now: EpochSeconds): Promise<void> {
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE "Execution"
         SET "state" = 'ENDED', "outcome" = 'REJECTED', "reason" = ${reason}, "endedAt" = to_timestamp(${now}::float8),
             "wakeAt" = to_timestamp(${now}::float8), "version" = "version" + 1,
             "updatedAt" = to_timestamp(${now}::float8)
       WHERE "id" = ANY(${[...ids]}::uuid[]) RETURNING "id"),
    ${wakeUpsOf('ended', now)}`;
}

function wakeUpsOf(table: string, now: EpochSeconds): Prisma.Sql {
  return Prisma.sql`written AS (
      INSERT INTO "Outbox" ("kind", "targetId", "wakeAt", "createdAt")
      SELECT 'EXECUTION', "id", to_timestamp(${now}::float8), clock_timestamp() FROM ${Prisma.raw(table)} ORDER BY "id"
      RETURNING 1)
    SELECT pg_notify(${OUTBOX_CHANNEL}, '') FROM written LIMIT 1`;
}

/** How many jobs of a tenant there are at a site, or on their way there. */
export interface TenantsJobs {
  readonly jobs: number;
  /** Those that the site has taken. */
  readonly accepted: number;
  /** Those that are tasks of arrays. */
  readonly tasks: number;
  /** Tasks of arrays that are to be handed over by now, and are not yet. */
  readonly due: number;
}

/** The same at each of some sites, by their ids; absent where there is none. */
export async function countTenantsJobs(
  db: Db,
  tenantId: string,
  siteIds: readonly string[],
  now: EpochSeconds,
): Promise<ReadonlyMap<string, TenantsJobs>> {
  const rows = await db.$queryRaw<(TenantsJobs & { siteId: string })[]>`
    SELECT "siteId"::text AS "siteId", count(*)::int AS "jobs", count("groupId")::int AS "tasks",
           (count(*) FILTER (WHERE "state" IN ('QUEUED', 'RUNNING')))::int AS "accepted",
           (count("groupId") FILTER (WHERE "state" = 'HELD' AND "submitAt" <= to_timestamp(${now}::float8)))::int AS "due"
      FROM "Execution"
     WHERE "siteId" = ANY(${[...siteIds]}::uuid[]) AND "tenantId" = ${tenantId}::uuid
       AND "state" IN ('HELD', 'SUBMITTING', 'QUEUED', 'RUNNING')
     GROUP BY "siteId"`;
  return new Map(rows.map(({ siteId, ...counts }) => [siteId, counts]));
}

/** Those of the executions that others come after. */
export async function withSuccessors(tx: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.dependency.findMany({
    where: { predecessorId: { in: [...ids] } },
    distinct: ['predecessorId'],
    select: { predecessorId: true },
  });
  return rows.map(({ predecessorId }) => predecessorId).sort();
}

/** How many tasks of a group have ended and are not booked yet. */
export function countUnsettled(db: Db, groupId: string): Promise<number> {
  return db.execution.count({ where: { groupId, settledAt: null } });
}
