import type { Db } from './database.ts';

/** How many executions of a tenant have not ended; no more than `most` are counted. */
export async function countOpen(db: Db, tenantId: string, most: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count"
      FROM (SELECT 1 FROM "Execution" WHERE "tenantId" = ${tenantId}::uuid AND "state" <> 'ENDED' LIMIT ${most}) found`;
  return row?.count ?? 0;
}
