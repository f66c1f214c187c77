import type { EpochSeconds } from '../domain/clock.ts';
import type { Database } from './database.ts';
import { toDate } from './moments.ts';
import { wakeRow } from './outbox.ts';

/** Executions in the queue of a site, and what it says of their jobs. */
export interface NeverStarting {
  /** Of which it has come to say that it never starts them, by the keys of their jobs, with its words. */
  readonly begun: ReadonlyMap<string, { readonly executionId: string; readonly siteSays: string }>;
  /** Of which it does not say so any more. */
  readonly over: readonly string[];
}

/**
 * Notes which jobs a site says that it never starts, and asks for a turn of these. In a transaction of its own, for it
 * locks many rows. One that has left the queue meanwhile is left as it is, and so is one that its site was asked to
 * give back: that wish stands.
 */
export async function saveNeverStarting(
  database: Database,
  siteId: string,
  { begun, over }: NeverStarting,
  now: EpochSeconds,
): Promise<void> {
  if (begun.size === 0 && over.length === 0) return;
  const said = [...begun].map(([key, { executionId, siteSays }]) => ({ key, executionId, siteSays }));
  await database.transaction(async (tx) => {
    const noted = await tx.$queryRaw<{ id: string; isOver: boolean }[]>`
      WITH told AS (
        SELECT unnest(${said.map(({ executionId }) => executionId)}::uuid[]) AS "id", ${toDate(now)}::timestamptz AS "since"
        UNION ALL SELECT unnest(${[...over]}::uuid[]), NULL),
      held AS (
        SELECT e."id", told."since" FROM "Execution" e JOIN told ON told."id" = e."id"
         WHERE e."siteId" = ${siteId}::uuid AND e."state" = 'QUEUED'
           AND NOT EXISTS (SELECT 1 FROM "Submission" s WHERE s."executionId" = e."id" AND s."state" = 'WITHDRAWING')
         ORDER BY e."id" FOR NO KEY UPDATE OF e)
      UPDATE "Execution" e SET "neverStartsSince" = held."since" FROM held WHERE held."id" = e."id"
      RETURNING e."id"::text AS "id", held."since" IS NULL AS "isOver"`;
    await tx.$executeRaw`
      UPDATE "Submission" s SET "siteSays" = told."siteSays"
        FROM jsonb_to_recordset(${JSON.stringify(said)}::jsonb) AS told("key" text, "siteSays" text)
       WHERE s."key" = told."key" AND s."state" = 'ACCEPTED'`;
    const stuck = noted.filter(({ isOver }) => !isOver);
    await Promise.all(stuck.map(({ id }) => wakeRow(tx, 'Execution', id, now, null)));
  });
}
