import type { EpochSeconds } from '../domain/clock.ts';
import type { Db } from './database.ts';
import { CHANGE_CHANNEL } from './events.ts';
import { withMoments } from './moments.ts';

/**
 * Notes up to `limit` deadlines that have passed before their executions have ended, each with a reason, and announces
 * them. A job that is at its site may have ended in time: it counts when it was followed after the deadline, or its
 * site has been silent for long.
 * @param silentSeconds how long that is
 * @returns the executions
 */
export async function noteMissedDeadlines(
  db: Db,
  now: EpochSeconds,
  silentSeconds: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH missed AS (
      SELECT e."id" FROM "Execution" e LEFT JOIN "Site" s ON s."id" = e."siteId"
       WHERE e."deadlineAt" <= to_timestamp(${now}::float8) AND e."deadlineMissedAt" IS NULL AND e."state" <> 'ENDED'
         AND (e."state" IN ('REQUESTED', 'HELD', 'SUBMITTING') OR s."followedAt" > e."deadlineAt"
              OR e."deadlineAt" <= to_timestamp(${now - silentSeconds}::float8))
       ORDER BY e."deadlineAt" LIMIT ${limit}::int FOR UPDATE OF e SKIP LOCKED),
    noted AS (
      UPDATE "Execution" e
         SET "deadlineMissedAt" = e."deadlineAt", "updatedAt" = to_timestamp(${now}::float8),
             "reason" = 'its deadline passed ' || CASE e."state" WHEN 'RUNNING' THEN 'while it was running' ELSE 'before it started' END
                        || COALESCE('; ' || e."reason", '')
        FROM missed m WHERE e."id" = m."id"
      RETURNING e."id"::text AS "id", e."tenantId"),
    told AS (
      SELECT pg_notify(${CHANGE_CHANNEL}, json_build_object('type', 'EXECUTION', 'id', n."id", 'tenantId', n."tenantId")::text)
        FROM noted n)
    SELECT "id" FROM noted WHERE (SELECT count(*) FROM told) >= 0`;
  return rows.map(({ id }) => id);
}

/** How the newest promises of finishes at a site came out, oldest first: what was promised, and whether it was kept. */
export async function listFinishOutcomes(
  db: Db,
  siteId: string,
  newest: number,
): Promise<{ probability: number; kept: boolean; at: EpochSeconds }[]> {
  const rows = await db.execution.findMany({
    where: { siteId, finishKept: { not: null } },
    orderBy: { settledAt: 'desc' },
    take: newest,
    select: { promisedFinishProbability: true, finishKept: true, settledAt: true },
  });
  return withMoments(rows.reverse()).map(({ promisedFinishProbability, finishKept, settledAt }) => {
    return { probability: promisedFinishProbability ?? 0, kept: finishKept === true, at: settledAt ?? 0 };
  });
}
