import { DatabaseClient } from './database-client.ts';

/**
 * Takes out of the way the migrations that failed or that a crash broke off. One whose script had come to its end
 * counts as made; of the others nothing is there. A script is one transaction with the note that it was done
 * (`prisma/schema-engine.mjs`). Nobody else migrates meanwhile.
 * @throws Error of PostgreSQL, also when somebody else migrates for too long
 */
export async function settleBrokenOffMigrations(databaseUrl: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`
      BEGIN;
      SET LOCAL statement_timeout = 0;
      SET LOCAL lock_timeout = ${LOCK_MILLISECONDS};
      SELECT pg_advisory_xact_lock(${PRISMA_MIGRATES});
      UPDATE _prisma_migrations SET finished_at = now() WHERE ${IS_UNFINISHED} AND applied_steps_count > 0;
      UPDATE _prisma_migrations SET rolled_back_at = now() WHERE ${IS_UNFINISHED};
      COMMIT`);
  } finally {
    await client.end();
  }
}

const IS_UNFINISHED = 'finished_at IS NULL AND rolled_back_at IS NULL';
/** The advisory lock that Prisma holds while it migrates. */
const PRISMA_MIGRATES = 72_707_369;
const LOCK_MILLISECONDS = 30_000;
