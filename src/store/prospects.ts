import type { EpochSeconds } from '../domain/clock.ts';
import type { Database } from './database.ts';
import { toDate } from './moments.ts';
import { wakeRow } from './outbox.ts';

/** What has changed of whether a site starts a job in its queue; null for what does not stop it. */
export interface ProspectChange {
  readonly executionId: string;
  /** Of the job there. */
  readonly key: string;
  /** Of the job, by its site. */
  readonly siteSays: string;
  /** Since when its site says that it never starts it, or is taken to. */
  readonly neverStartsSince: EpochSeconds | null;
  /** Since when a limit stops it though no other runs under it. */
  readonly limitedAloneSince: EpochSeconds | null;
}

/**
 * Notes which jobs a site does not start, and asks for a turn of those that it never starts. In a transaction of its
 * own, for it locks many rows. One that has left the queue meanwhile is left as it is, and so is one that its site was
 * asked to give back: that wish stands.
 */
export async function saveProspects(
  database: Database,
  siteId: string,
  changes: readonly ProspectChange[],
  now: EpochSeconds,
): Promise<void> {
  if (changes.length === 0) return;
  const told = changes.map(({ neverStartsSince, limitedAloneSince, ...rest }) => {
    const moments = { neverStartsSince: toDate(neverStartsSince), limitedAloneSince: toDate(limitedAloneSince) };
    return { ...rest, ...moments };
  });
  await database.transaction(async (tx) => {
    const stuck = await tx.$queryRaw<{ id: string }[]>`
      WITH told AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
          AS told("executionId" uuid, "neverStartsSince" timestamptz, "limitedAloneSince" timestamptz)),
      held AS (
        SELECT e."id" FROM "Execution" e JOIN told ON told."executionId" = e."id"
         WHERE e."siteId" = ${siteId}::uuid AND e."state" = 'QUEUED'
           AND NOT EXISTS (SELECT 1 FROM "Submission" s WHERE s."executionId" = e."id" AND s."state" = 'WITHDRAWING')
         ORDER BY e."id" FOR NO KEY UPDATE OF e),
      noted AS (
        UPDATE "Execution" e
           SET "neverStartsSince" = told."neverStartsSince", "limitedAloneSince" = told."limitedAloneSince"
          FROM told JOIN held ON held."id" = told."executionId" WHERE e."id" = held."id"
        RETURNING e."id", e."neverStartsSince")
      SELECT "id"::text AS "id" FROM noted WHERE "neverStartsSince" IS NOT NULL`;
    await tx.$executeRaw`
      UPDATE "Submission" s SET "siteSays" = told."siteSays"
        FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
          AS told("key" text, "siteSays" text, "neverStartsSince" timestamptz)
       WHERE s."key" = told."key" AND told."neverStartsSince" IS NOT NULL AND s."state" = 'ACCEPTED'`;
    await Promise.all(stuck.map(({ id }) => wakeRow(tx, 'Execution', id, now, null)));
  });
}
