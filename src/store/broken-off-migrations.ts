import pg from 'pg';

/** A migration that was begun and is not recorded as finished. */
export interface BrokenOffMigration {
  readonly name: string;
  /** Whether its script had come to its end; else nothing of it is there. */
  readonly wasDone: boolean;
}

/**
 * Migrations that failed, or that a crash broke off, oldest first. A script is one transaction with the note that it
 * was done (`prisma/schema-engine.mjs`).
 */
export async function brokenOffMigrations(databaseUrl: string): Promise<BrokenOffMigration[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MILLISECONDS });
  await client.connect();
  try {
    const { rows } = await client.query<BrokenOffMigration>(`
      SELECT migration_name AS "name", applied_steps_count > 0 AS "wasDone" FROM _prisma_migrations
       WHERE finished_at IS NULL AND rolled_back_at IS NULL ORDER BY started_at`);
    return rows;
  } finally {
    await client.end();
  }
}

const CONNECT_MILLISECONDS = 10_000;
