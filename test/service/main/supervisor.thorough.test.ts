import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, createSupervisor, type Supervisor } from '../../../src/main/supervisor.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
let folder: string;
let supervisor: Supervisor;
let worker: Child;
beforeAll(async () => {
  stores = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'gridcast-supervisor-'));
  const logger = pino({ level: 'silent' });
  supervisor = createSupervisor({ logFolder: folder, logger, silenceMilliseconds: 8000, onChange: () => undefined });
});
afterAll(async () => {
  await supervisor.stop();
  await stores.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('a process that stands still is killed and started again', { timeout: 150_000 }, async () => {
  const environment = { ...process.env, DATABASE_URL: stores.url, GRIDCAST_LOG_LEVEL: 'silent' };
  worker = await supervisor.start({ name: 'worker', arguments: [], environment });
  const { pid: first, url } = worker;
  if (first === undefined) throw new Error('no process');
  await sleep(50);
  process.kill(first, 'SIGSTOP');
  const giveUpAt = performance.now() + 120_000;
  while (worker.pid === undefined || worker.pid === first || worker.url === url) {
    if (performance.now() > giveUpAt) throw new Error('it was not started again');
    await sleep(100);
  }
  expect((await fetch(new URL('/healthz', worker.url))).status).toBe(200);
});

test('one that has no room for its log is started again when there is some', { timeout: 90_000 }, async () => {
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, 'in the way');
  process.kill(worker.pid as number, 'SIGKILL');
  await sleep(3000);
  expect(worker.pid).toBeUndefined();
  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  const giveUpAt = performance.now() + 60_000;
  const isUp = () =>
    fetch(new URL('/healthz', worker.url)).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (performance.now() > giveUpAt) throw new Error('it was not started again');
    await sleep(100);
  }
});
