import type { Db } from './database.ts';

/** So many records that no checkpoint holds are soon taken in by whoever restores it. */
const FEW_RECORDS = 250;

/**
 * Which of some sites have no checkpoint that is near what is known of them: none at all, one of records that have been
 * taken away, one that lacks 250 records or more, or one that is a day older than the site's newest look.
 */
export async function listStale(db: Db, siteIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ siteId: string }[]>`
    SELECT s."id"::text AS "siteId"
      FROM "Site" s
      LEFT JOIN LATERAL (
        SELECT c."revision", c."recordsEpoch", c."savedAt" FROM "Checkpoint" c WHERE c."siteId" = s."id"
         ORDER BY c."number" DESC LIMIT 1) c ON TRUE
     WHERE s."id" = ANY(${[...siteIds]}::uuid[])
       AND (c."savedAt" IS NULL OR c."recordsEpoch" <> s."recordsEpoch"
            OR s."observedAt" > c."savedAt" AND c."savedAt" < now() - interval '1 day'
            OR ${FEW_RECORDS}::int <= (
               SELECT count(*) FROM (
                 SELECT FROM "Record" r WHERE r."siteId" = s."id" AND r."revision" > c."revision"
                  LIMIT ${FEW_RECORDS}::int) few))`;
  return new Set(rows.map(({ siteId }) => siteId));
}
