import { afterEach, beforeEach, expect, test } from 'vitest';
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
