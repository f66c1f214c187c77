import type { EpochSeconds } from '../domain/clock.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import type { Db } from './database.ts';

/** How far a site has come, for who follows it: whatever has become known of it since changes one of these. */
export interface SiteProgress {
  readonly siteId: string;
  /** See `readRecordsEpoch`. */
  readonly recordsEpoch: number;
  readonly observedAt: EpochSeconds | null;
  /** Of its newest record; 0 where it has none. */
  readonly revision: number;
}

/** How far all sites have come that have not been removed, by name. One row a site, however many records it has. */
export async function listSiteProgress(db: Db): Promise<SiteProgress[]> {
  return db.$queryRaw<SiteProgress[]>`
    SELECT s."id" AS "siteId", s."recordsEpoch", extract(epoch FROM s."observedAt")::float8 AS "observedAt",
           COALESCE((SELECT max(r."revision") FROM "Record" r WHERE r."siteId" = s."id"), 0)::float8 AS "revision"
      FROM "Site" s WHERE s."removedAt" IS NULL ORDER BY s."name"`;
}

/** The newest snapshot of a site with its moment as `SiteProgress` tells it; null where that is still the one given. */
export async function readOtherSnapshot(
  db: Db,
  siteId: string,
  observedAt: EpochSeconds | null,
): Promise<{ readonly observedAt: EpochSeconds; readonly snapshot: Snapshot } | null> {
  const [row] = await db.$queryRaw<{ observedAt: EpochSeconds; snapshot: Snapshot }[]>`
    SELECT extract(epoch FROM "observedAt")::float8 AS "observedAt", "snapshot" FROM "Site"
     WHERE "id" = ${siteId}::uuid AND "snapshot" IS NOT NULL
       AND extract(epoch FROM "observedAt")::float8 IS DISTINCT FROM ${observedAt}::float8`;
  return row ?? null;
}
