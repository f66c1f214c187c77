import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseClient } from '../../../src/store/database-client.ts';
import { deployMigrations, missingMigrations } from '../../../src/store/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;

beforeEach(async () => {
  stores = await createTestDatabase();
});

afterEach(async () => {
  await stores.drop();
});

async function change(...statements: string[]): Promise<void> {
  for (const statement of statements) await stores.database.db.$executeRawUnsafe(statement);
}

/** Leaves the database as a crash in the middle of its first migration does. */
async function takeBackTheFirst(): Promise<void> {
  await change(
    'CREATE SCHEMA kept',
    'ALTER TABLE _prisma_migrations SET SCHEMA kept',
    'DROP SCHEMA public CASCADE',
    'CREATE SCHEMA public',
    'ALTER TABLE kept._prisma_migrations SET SCHEMA public',
    'DELETE FROM _prisma_migrations WHERE migration_name > (SELECT min(migration_name) FROM _prisma_migrations)',
    'UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0',
  );
}

async function expectAllMade(): Promise<void> {
  await deployMigrations(stores.url, process.env);
  expect(await missingMigrations(stores.database.db)).toEqual([]);
  expect(await stores.database.db.site.count()).toBe(0);
}

test('a migration that was broken off before its record was written counts as done', async () => {
  await change(`UPDATE _prisma_migrations SET finished_at = NULL
    WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`);
  await expectAllMade();
});

test('one that was broken off and taken back by a crash is done again', async () => {
  await takeBackTheFirst();
  await expectAllMade();
});

test('two who migrate at once do not take each other to be broken off', async () => {
  await takeBackTheFirst();
  await Promise.all([expectAllMade(), expectAllMade()]);
  const rolledBack = await stores.database.db.$queryRaw<{ migration_name: string }[]>`
    SELECT migration_name FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL`;
  expect(rolledBack).toHaveLength(1);
});

test('one that fails leaves nothing of its script, and is made once its cause is gone', async () => {
  const first = 'CREATE INDEX "Execution_siteId_state_idx" ON "Execution"("siteId", "state")';
  const last = 'CREATE INDEX "Execution_heldBackBehindId_idx" ON "Execution"("heldBackBehindId")';
  await change(
    first,
    'DROP INDEX "Execution_heldBackBehindId_idx"',
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%indexes_of_some_jobs'",
  );
  for (let time = 0; time < 2; time++) {
    await expect(deployMigrations(stores.url, process.env)).rejects.toThrow(/heldBackBehindId_idx.* does not exist/);
  }
  await expect(change(first)).rejects.toThrow(/already exists/);
  await change(last);
  await expectAllMade();
});

/** Runs `work` while another session has done `statements` in a transaction, for so long. */
async function meanwhile(heldMilliseconds: number, statement: string, work: () => Promise<unknown>): Promise<void> {
  const client = new DatabaseClient({ connectionString: stores.url });
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  const isLetGo = sleep(heldMilliseconds).then(() => client.query('COMMIT'));
  try {
    await work();
  } finally {
    await isLetGo;
    await client.end();
  }
}

/** Leaves the database as before its newest migration. */
const takeBackTheLast = () =>
  change(
    'ALTER TABLE "Execution" DROP COLUMN "limitedAloneSince"',
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%limited_alone'",
  );

test('one takes longer than its role lets a statement take', async () => {
  await takeBackTheLast();
  await change(`ALTER DATABASE ${new URL(stores.url).pathname.slice(1)} SET statement_timeout = '1s'`);
  await meanwhile(8000, 'LOCK TABLE "Execution" IN ACCESS SHARE MODE', expectAllMade);
});

test('who waits for a lock for too long is told which migration did, without the stack of Prisma', async () => {
  await takeBackTheLast();
  await change(`ALTER DATABASE ${new URL(stores.url).pathname.slice(1)} SET lock_timeout = '200ms'`);
  await meanwhile(8000, 'LOCK TABLE "Execution" IN ACCESS SHARE MODE', async () => {
    const failure = await deployMigrations(stores.url, process.env).catch((error: Error) => error.message);
    expect(failure).toMatch(/^migrating the database failed:\n.*lock timeout\n.*_limited_alone"$/);
  });
  await expectAllMade();
});

test('who migrates while somebody else does for long is told so', async () => {
  await meanwhile(25_000, 'SELECT pg_advisory_xact_lock(72707369)', async () => {
    await expect(deployMigrations(stores.url, process.env)).rejects.toThrow(/^somebody else migrates this database/);
  });
});
