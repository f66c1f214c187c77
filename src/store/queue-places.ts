import type { EpochSeconds } from '../domain/clock.ts';
import type { Db } from './database.ts';

/** Where a job stands in its site's queue. */
export interface QueuePlace {
  /** Jobs of higher priority, where the site tells that, else those submitted earlier. */
  readonly ahead: number;
  readonly processorsAhead: number;
  readonly waiting: number;
  readonly observedAt: EpochSeconds;
}

/** Where the job with that key stood when its site was last looked at; null when it did not wait there. */
export async function findQueuePlace(db: Db, siteId: string, key: string): Promise<QueuePlace | null> {
  const [place] = await db.$queryRaw<QueuePlace[]>`
    WITH waiting AS (
      SELECT job->>'key' AS "key", (job->>'submitAt')::float8 AS "submitAt", (job->>'priority')::float8 AS "priority",
             COALESCE((job->'resources'->>'processors')::float8, (job->>'processors')::float8, 0) AS "processors",
             extract(epoch FROM s."observedAt")::float8 AS "observedAt"
        FROM "Site" s, jsonb_array_elements(s."snapshot"::jsonb->'waiting') AS job WHERE s."id" = ${siteId}::uuid),
    own AS (SELECT * FROM waiting WHERE "key" = ${key} LIMIT 1)
    SELECT count(*) FILTER (WHERE w."isAhead")::int AS "ahead",
           COALESCE(sum(w."processors") FILTER (WHERE w."isAhead"), 0)::float8 AS "processorsAhead",
           count(*)::int AS "waiting", min(w."observedAt") AS "observedAt"
      FROM (SELECT waiting.*, CASE WHEN waiting."priority" IS NOT NULL AND own."priority" IS NOT NULL
                                   AND waiting."priority" <> own."priority"
                                   THEN waiting."priority" > own."priority"
                                   ELSE waiting."submitAt" < own."submitAt" END AS "isAhead"
              FROM waiting, own) w
    HAVING count(*) > 0`;
  return place ?? null;
}
