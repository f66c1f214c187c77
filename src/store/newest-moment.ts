import type { EpochSeconds } from '../domain/clock.ts';
import type { Db } from './database.ts';

/** The newest moment at which something was written down or observed, null in an empty database. */
export async function findNewestMoment(db: Db): Promise<EpochSeconds | null> {
  const [row] = await db.$queryRaw<{ newestAt: Date | null }[]>`
    SELECT greatest((SELECT max("observedAt") FROM "Site"), (SELECT max("createdAt") FROM "Site"),
                    (SELECT max("updatedAt") FROM "Execution"), (SELECT max("createdAt") FROM "Token")) AS "newestAt"`;
  return row?.newestAt ? row.newestAt.getTime() / 1000 : null;
}
