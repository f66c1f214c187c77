import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';

/** Bytes per second at which files are moved to the middle one of the sites where any were; null before the first. */
export const USUAL_STAGED_RATE = Prisma.sql`
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY "stagedBytesPerSecond")
    FROM "Site" WHERE "stagedBytesPerSecond" IS NOT NULL AND "removedAt" IS NULL`;

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
