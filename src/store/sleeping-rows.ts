import type { EpochSeconds } from '../domain/clock.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { WAKE_UP_KINDS } from './outbox.ts';

/** Whether a site is to be looked at after a moment only. */
export async function isSiteAsleepBeyond(db: Db, at: EpochSeconds): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Site" WHERE "wakeAt" > to_timestamp(${at}::float8) AND "leaseExpiresAt" IS NULL LIMIT 1`;
  return found.length > 0;
}

/**
 * Has every row that waits for a later moment take its turn now, in which it finds out anew when it wants its next one,
 * and waiting promises looked at again. Nobody is told: the sweeper finds them overdue.
 * @returns how many rows
 */
export async function wakeSleepingRows(db: Db, now: EpochSeconds): Promise<number> {
  const counts: number[] = [];
  for (const table of Object.keys(WAKE_UP_KINDS)) {
    const name = Prisma.raw(`"${table}"`);
    counts.push(
      await db.$executeRaw`
        WITH asleep AS (
          SELECT "id" FROM ${name} WHERE "wakeAt" > to_timestamp(${now}::float8) AND "leaseExpiresAt" IS NULL
           ORDER BY "id" FOR NO KEY UPDATE)
        UPDATE ${name} AS row SET "wakeAt" = to_timestamp(${now}::float8) FROM asleep WHERE row."id" = asleep."id"`,
    );
  }
  await db.$executeRaw`
    UPDATE "Reservation" SET "recomputedAt" = to_timestamp(${now}::float8)
     WHERE "decidedAt" IS NULL AND "recomputedAt" > to_timestamp(${now}::float8)`;
  return counts.reduce((sum, count) => sum + count, 0);
}
