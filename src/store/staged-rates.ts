import type { Db } from './database.ts';

/** Bytes per second at which files are moved to the middle one of the sites where any were; null before the first. */
export async function usualStagedRate(db: Db): Promise<number | null> {
  const [row] = await db.$queryRaw<{ rate: number | null }[]>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY "stagedBytesPerSecond") AS "rate"
      FROM "Site" WHERE "stagedBytesPerSecond" IS NOT NULL AND "removedAt" IS NULL`;
  return row?.rate ?? null;
}

/**
 * Keeps at how many bytes per second a file was moved to a site, lately: the newest counts for a third.
 */
export async function noteStagedRate(tx: Db, siteId: string, bytesPerSecond: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Site" SET "stagedBytesPerSecond" =
      COALESCE("stagedBytesPerSecond" * (2::float8 / 3), ${bytesPerSecond}::float8 * (2::float8 / 3))
        + ${bytesPerSecond}::float8 / 3
     WHERE "id" = ${siteId}::uuid`;
}
