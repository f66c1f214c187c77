import type { Database } from './database.ts';
import { publishChanges } from './events.ts';
import type { ExecutionRow } from './executions.ts';

/** The queue and the walltime that an execution has at its site, as the site has changed them. */
export type ChangedBySite = Pick<ExecutionRow, 'id' | 'siteQueue' | 'submittedWalltimeSeconds'>;

/** Notes what a site has changed of jobs of ours; one that has left the site meanwhile is left as it is. */
export async function saveChangedBySite(
  database: Database,
  siteId: string,
  changes: readonly ChangedBySite[],
): Promise<void> {
  if (changes.length === 0) return;
  await database.transaction(async (tx) => {
    const changed = await tx.$queryRaw<{ id: string; tenantId: string }[]>`
      WITH told AS (SELECT * FROM jsonb_populate_recordset(NULL::"Execution", ${JSON.stringify(changes)}::jsonb)),
      held AS (
        SELECT e."id" FROM "Execution" e
         WHERE e."id" IN (SELECT "id" FROM told) AND e."siteId" = ${siteId}::uuid AND e."state" IN ('QUEUED', 'RUNNING')
         ORDER BY e."id" FOR NO KEY UPDATE)
      UPDATE "Execution" e
         SET "siteQueue" = told."siteQueue", "submittedWalltimeSeconds" = told."submittedWalltimeSeconds"
        FROM told JOIN held USING ("id")
       WHERE e."id" = told."id"
      RETURNING e."id"::text AS "id", e."tenantId"::text AS "tenantId"`;
    await publishChanges(
      tx,
      changed.map(({ id, tenantId }) => ({ type: 'EXECUTION', id, tenantId })),
    );
  });
}
