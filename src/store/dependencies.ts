import type { DependencyCondition, OutputsOut, Predecessor } from '../domain/dependency.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import type { ExecutionRow } from './executions.ts';
import { withMoments } from './moments.ts';

/** The outputs of an execution `e`: those of its last try. */
const OUTPUTS_OUT = Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT bool_or(s."state" IN ('READY', 'EMPTYING') AND f."state" IN ('WAITING', 'MOVING')) AS "areOutputsMoving",
           min(f."path") FILTER (WHERE f."state" IN ('FAILED', 'SKIPPED')) AS "lostOutput"
      FROM (SELECT "id", "state" FROM "Staging" WHERE "executionId" = e."id" ORDER BY "createdAt" DESC LIMIT 1) s
      JOIN "StagedFile" f ON f."stagingId" = s."id" AND f."direction" = 'OUT') o ON true`;

/** A job that another one is to come after. */
export interface NewDependency {
  readonly predecessorId: string;
  readonly condition: DependencyCondition;
}

/** A job that another one comes after, as it stands. */
export interface DependencyRow extends NewDependency {
  readonly executionId: string;
  readonly predecessor: ExecutionRow & OutputsOut;
}

/**
 * Those of the executions that a tenant has. None of them ends before the caller's transaction does, so that a
 * successor written in it is seen by whoever writes their end.
 */
export async function lockPredecessors(tx: Db, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "Execution"
     WHERE "id" = ANY(${[...ids]}::uuid[]) AND "tenantId" = ${tenantId}::uuid ORDER BY "id" FOR SHARE`;
  return new Set(found.map(({ id }) => id));
}

/** Lets an execution come after others. */
export async function saveDependencies(
  tx: Db,
  executionId: string,
  dependencies: readonly NewDependency[],
): Promise<void> {
  if (dependencies.length === 0) return;
  await tx.dependency.createMany({ data: dependencies.map((dependency) => ({ executionId, ...dependency })) });
}

/** A group that a job is to come after. */
export interface NewGroupDependency {
  readonly groupId: string;
  readonly condition: DependencyCondition;
}

/** Those of the groups that a tenant has; the same as `lockPredecessors` holds for their ends. */
export async function lockGroups(tx: Db, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "JobGroup"
     WHERE "id" = ANY(${[...ids]}::uuid[]) AND "tenantId" = ${tenantId}::uuid ORDER BY "id" FOR SHARE`;
  return new Set(found.map(({ id }) => id));
}

/** Lets an execution come after groups. */
export async function saveGroupDependencies(
  tx: Db,
  executionId: string,
  dependencies: readonly NewGroupDependency[],
): Promise<void> {
  if (dependencies.length === 0) return;
  await tx.groupDependency.createMany({ data: dependencies.map((dependency) => ({ executionId, ...dependency })) });
}

/** A group that a job comes after, as one predecessor that ends with the last of its tasks. */
export interface GroupPredecessor extends NewGroupDependency, Predecessor {
  readonly executionId: string;
}

/**
 * The groups that several executions come after. The outcome of one is that of any task that did not complete; where
 * nobody knows of a task whether it has ended, nobody knows it of the group.
 */
export async function findGroupPredecessors(db: Db, executionIds: readonly string[]): Promise<GroupPredecessor[]> {
  return db.$queryRaw<GroupPredecessor[]>`
    SELECT d."executionId"::text AS "executionId", d."groupId"::text AS "groupId", d."condition"::text AS "condition",
           g."name", CASE WHEN g."endedAt" IS NULL THEN 'RUNNING' ELSE 'ENDED' END AS "state",
           t."outcome", CASE WHEN t."unknown" > 0 THEN NULL ELSE extract(epoch FROM g."endedAt")::float8 END AS "endedAt",
           false AS "areOutputsMoving", t."lostOutput"
      FROM "GroupDependency" d JOIN "JobGroup" g ON g."id" = d."groupId"
     CROSS JOIN LATERAL (
       SELECT COALESCE(min(e."outcome"::text) FILTER (WHERE e."outcome" <> 'COMPLETED'), 'COMPLETED') AS "outcome",
              count(*) FILTER (WHERE e."endedAt" IS NULL) AS "unknown", min(o."lostOutput") AS "lostOutput"
         FROM "Execution" e ${OUTPUTS_OUT} WHERE e."groupId" = g."id" AND g."endedAt" IS NOT NULL) t
     WHERE d."executionId" = ANY(${[...executionIds]}::uuid[]) ORDER BY d."groupId"`;
}

/** What several executions come after, for batched reads. */
export async function findPredecessors(db: Db, executionIds: readonly string[]): Promise<DependencyRow[]> {
  const rows = withMoments(
    await db.dependency.findMany({
      where: { executionId: { in: [...executionIds] } },
      include: { predecessor: true },
      orderBy: { predecessorId: 'asc' },
    }),
  );
  const outputs = await findOutputsOut(
    db,
    rows.flatMap(({ predecessor: { id, state } }) => (state === 'ENDED' ? [id] : [])),
  );
  return rows.map((row) => {
    const { areOutputsMoving = false, lostOutput = null } = outputs.get(row.predecessorId) ?? {};
    return { ...row, predecessor: { ...row.predecessor, areOutputsMoving, lostOutput } };
  });
}

/** How far the outputs of jobs that have ended are, of those that have any. */
async function findOutputsOut(db: Db, executionIds: readonly string[]): Promise<ReadonlyMap<string, OutputsOut>> {
  if (executionIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(OutputsOut & { id: string })[]>`
    SELECT e."id"::text AS "id", COALESCE(o."areOutputsMoving", false) AS "areOutputsMoving", o."lostOutput"
      FROM "Execution" e ${OUTPUTS_OUT} WHERE e."id" = ANY(${[...executionIds]}::uuid[])`;
  return new Map(rows.map(({ id, ...outputs }) => [id, outputs]));
}

/** How many tasks of a group have outputs that are still to be moved. */
export async function countMovingOutputs(db: Db, groupId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "Execution" e ${OUTPUTS_OUT}
     WHERE e."groupId" = ${groupId}::uuid AND o."areOutputsMoving"`;
  return row?.count ?? 0;
}

/** What comes after several executions: at most `limit` of each, oldest first. */
export async function findSuccessors(
  db: Db,
  predecessorIds: readonly string[],
  limit: number,
): Promise<{ predecessorId: string; executionId: string }[]> {
  return db.$queryRaw<{ predecessorId: string; executionId: string }[]>`
    SELECT d."predecessorId"::text AS "predecessorId", d."executionId"::text AS "executionId"
      FROM unnest(${[...predecessorIds]}::uuid[]) AS p("id")
     CROSS JOIN LATERAL (
       SELECT "predecessorId", "executionId" FROM "Dependency" WHERE "predecessorId" = p."id"
        ORDER BY "executionId" LIMIT ${limit}::int) AS d`;
}
