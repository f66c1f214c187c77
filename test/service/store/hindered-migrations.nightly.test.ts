import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DatabaseClient } from '../../../src/store/database-client.ts';
import { deployMigrations } from '../../../src/store/migrate.ts';
import { migrated } from './migrated.ts';

const migrations = migrated();

/** Runs `work` while another session has done `statements` in a transaction, for so long. */
async function meanwhile(heldMilliseconds: number, statement: string, work: () => Promise<unknown>): Promise<void> {
  const client = new DatabaseClient({ connectionString: migrations.url });
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
  migrations.change(
    'ALTER TABLE "Execution" DROP COLUMN "limitedAloneSince"',
    "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%limited_alone'",
  );

test('one takes longer than its role lets a statement take', async () => {
  await takeBackTheLast();
  await migrations.change(`ALTER DATABASE ${new URL(migrations.url).pathname.slice(1)} SET statement_timeout = '1s'`);
  await meanwhile(8000, 'LOCK TABLE "Execution" IN ACCESS SHARE MODE', migrations.expectAllMade);
});

test('who waits for a lock for too long is told which migration did, without the stack of Prisma', async () => {
  await takeBackTheLast();
  await migrations.change(`ALTER DATABASE ${new URL(migrations.url).pathname.slice(1)} SET lock_timeout = '200ms'`);
  await meanwhile(8000, 'LOCK TABLE "Execution" IN ACCESS SHARE MODE', async () => {
    const failure = await deployMigrations(migrations.url, process.env).catch((error: Error) => error.message);
    expect(failure).toMatch(/^migrating the database failed:\n.*lock timeout\n.*_limited_alone"$/);
  });
  await migrations.expectAllMade();
});

test('who migrates while somebody else does for long is told so', async () => {
  await meanwhile(25_000, 'SELECT pg_advisory_xact_lock(72707369)', async () => {
    await expect(deployMigrations(migrations.url, process.env)).rejects.toThrow(
      /^somebody else migrates this database/,
    );
  });
});
