import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isReachable } from '../../../src/store/database.ts';
import { isDatabaseAway } from '../../../src/store/database-away.ts';
import { startOwnPostgres } from '../own-postgres.ts';

const MEGABYTE = 2 ** 20;
/** Of a machine that is busy with other tests, too. */
const PATIENCE_MILLISECONDS = 20_000;

/** A disk of its own that may be filled, where we may have one. */
function mountDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-full-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=250m', 'tmpfs', folder]);
  if (status !== 0) rmdirSync(folder);
  else chmodSync(folder, 0o755);
  return status === 0 ? folder : null;
}

test('a PostgreSQL whose disk is full is away and not ready until there is room again', async (context) => {
  const { onTestFinished, skip } = context;
  const folder = mountDisk() ?? skip('no disk of its own can be mounted here');
  onTestFinished(() => {
    spawnSync('umount', [folder]);
    rmdirSync(folder);
  });
  const { stores } = await startOwnPostgres(folder);
  onTestFinished(() => stores.drop());
  const { db } = stores.database;
  const isReady = () => isReachable(stores.database, PATIENCE_MILLISECONDS);
  const write = () => db.$executeRaw`CREATE TABLE "Large" AS SELECT repeat('-', 1000) FROM generate_series(1, 2000)`;
  expect(await isReady()).toBe(true);

  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - MEGABYTE / 4));
  expect(await isReady(), 'nobody has written since').toBe(true);
  const error: unknown = await write().catch((error: unknown) => error);
  expect(isDatabaseAway(error), String(error)).toBe(true);
  expect(await isReady()).toBe(false);
  await db.$executeRaw`UPDATE "Tenant" SET "name" = "name"`;
  expect(await isReady(), 'a small write that found room tells nothing').toBe(false);

  rmSync(join(folder, 'ballast'));
  await expect.poll(isReady, { timeout: PATIENCE_MILLISECONDS }).toBe(true);
  await write();
});
