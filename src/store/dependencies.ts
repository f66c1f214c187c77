import type { DependencyCondition } from '../domain/dependency.ts';
import type { Db } from './database.ts';
import type { ExecutionRow } from './executions.ts';
import { withMoments } from './moments.ts';

/** A job that another one is to come after. */
export interface NewDependency {
  readonly predecessorId: string;
  readonly condition: DependencyCondition;
}

/** A job that another one comes after, as it stands. */
export interface DependencyRow extends NewDependency {
  readonly executionId: string;
  readonly predecessor: ExecutionRow;
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

/** What several executions come after, for batched reads. */
export async function findPredecessors(db: Db, executionIds: readonly string[]): Promise<DependencyRow[]> {
  return withMoments(
    await db.dependency.findMany({
      where: { executionId: { in: [...executionIds] } },
      include: { predecessor: true },
      orderBy: { predecessorId: 'asc' },
    }),
  );
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
