import { expect, test } from 'vitest';
import { deployMigrations } from '../../../src/store/migrate.ts';
import { migrated } from './migrated.ts';

const migrations = migrated();

/** Leaves the database as a crash in the middle of its first migration does. */
async function takeBackTheFirst(): Promise<void> {
  await migrations.change(
    'CREATE SCHEMA kept',
    'ALTER TABLE _prisma_migrations SET SCHEMA kept',
    'DROP SCHEMA public CASCADE',
    'CREATE SCHEMA public',
    'ALTER TABLE kept._prisma_migrations SET SCHEMA public',
    'DELETE FROM _prisma_migrations WHERE migration_name > (SELECT min(migration_name) FROM _prisma_migrations)',
    'UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0',
  );
}

test('a migration that was broken off before its record was written counts as done', async () => {
  await migrations.change(`UPDATE _prisma_migrations SET finished_at = NULL
    WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`);
  await migrations.expectAllMade();
});

test('one that was broken off and taken back by a crash is done again', async () => {
  await takeBackTheFirst();
  await migrations.expectAllMade();
});

test('two who migrate at once do not take each other to be broken off', async () => {
  await takeBackTheFirst();
  await Promise.all([migrations.expectAllMade(), migrations.expectAllMade()]);
  const rolledBack = await migrations.db.$queryRaw<{ migration_name: string }[]>`
    SELECT migration_name FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL`;
  expect(rolledBack).toHaveLength(1);
});

test('one that fails leaves nothing of its script, and is made once its cause is gone', async () => {
  const first = 'CREATE INDEX "Execution_siteId_state_idx" ON "Execution"("siteId", "state")';
  const last = 'CREATE INDEX "Execution_heldBackBehindId_idx" ON "Execution"("heldBackBehindId")';
  await migrations.change(
    first,
    'DROP INDEX "Execution_heldBackBehindId_idx"',
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%indexes_of_some_jobs'",
  );
  for (let time = 0; time < 2; time++) {
    await expect(deployMigrations(migrations.url, process.env)).rejects.toThrow(
      /heldBackBehindId_idx.* does not exist/,
    );
  }
  await expect(migrations.change(first)).rejects.toThrow(/already exists/);
  await migrations.change(last);
  await migrations.expectAllMade();
});
