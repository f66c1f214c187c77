import type { EpochSeconds } from '../domain/clock.ts';
import type { Database, Db } from './database.ts';

/**
 * Has every execution that is open sought at its sites before anything is decided of it: the database is a backup, and
 * what was handed in since is not on record.
 * @returns how many
 */
export function seekAllOpen(db: Db, now: EpochSeconds): Promise<number> {
  return db.$executeRaw`
    UPDATE "Execution"
       SET "soughtSince" = to_timestamp(${now}::float8),
           "wakeAt" = CASE WHEN "state" IN ('REQUESTED', 'HELD') THEN LEAST("wakeAt", to_timestamp(${now}::float8)) ELSE "wakeAt" END
     WHERE "state" <> 'ENDED'`;
}

/**
 * Notes of which server the database is now and which of its histories; when that was another one before, it was
 * restored from a backup, or a standby of it took over, and open executions are sought. A server that does not tell
 * which one it is leaves it all as it is.
 * @returns how many executions are sought; null where nothing was restored
 */
export async function seekAfterRestore({ db, transaction }: Database, now: EpochSeconds): Promise<number | null> {
  const name = await lineageOf(db);
  if (name === null) return null;
  return transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO "Lineage" ("id", "name") VALUES (1, ${name}) ON CONFLICT DO NOTHING`;
    const [known] = await tx.$queryRaw<{ name: string }[]>`SELECT "name" FROM "Lineage" WHERE "id" = 1 FOR UPDATE`;
    if (known?.name === name) return null;
    await tx.lineage.update({ where: { id: 1 }, data: { name } });
    return seekAllOpen(tx, now);
  });
}

/** The identifier of the server and the timeline of its log, which a restore to a moment begins anew. */
async function lineageOf(db: Db): Promise<string | null> {
  const [mayAsk] = await db.$queryRaw<{ may: boolean }[]>`
    SELECT has_function_privilege('pg_control_system()', 'execute') AND has_function_privilege('pg_walfile_name(pg_lsn)', 'execute')
           AND NOT pg_is_in_recovery() AS "may"`;
  if (!mayAsk?.may) return null;
  const [server] = await db.$queryRaw<{ name: string }[]>`
    SELECT "system_identifier" || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS "name" FROM pg_control_system()`;
  return server?.name ?? null;
}
