import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { hasRedis, startTestRedis, type TestRedis } from '../redis.ts';
import { end, logText, startWorker, until, type WorkerProcess } from './worker-processes.ts';

let redis: TestRedis;
let folder: string;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  if (!hasRedis) return;
  redis = await startTestRedis();
  folder = mkdtempSync(join(tmpdir(), 'gridcast-spread-'));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => end(worker, 'SIGKILL')));
  await redis?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

test.runIf(hasRedis)(
  'a part of a killed worker is done again by another, and the document is the same; so is a tuning',
  async () => {
    const log = join(folder, 'some.swf');
    writeFileSync(log, logText(1500));
    const told = ['experiment', 'policies', '--trace', log, '--json'];
    const here = await runCli(...told, '--threads', '1');
    workers.push(await startWorker(redis.url, folder), await startWorker(redis.url, folder));
    const [one, other] = workers as [WorkerProcess, WorkerProcess];
    const running = runCli(...told, '--workers', redis.url);
    await until('one has a part in hand', () => one.events.at(-1)?.event === 'BEGUN');
    const lost = one.events.at(-1)?.part;
    await end(one, 'SIGKILL');
    const there = await running;
    expect(there.exitCode, there.stderr).toBe(0);
    expect(there.stdout).toBe(here.stdout);
    expect(other.events).toContainEqual(expect.objectContaining({ event: 'DONE', part: lost }));

    const tune = ['tune', 'wait/ibl', '--trace', log, '--every', '3', '--json'];
    expect((await runCli(...tune, '--workers', redis.url)).stdout).toBe((await runCli(...tune)).stdout);
    expect(other.events).toContainEqual(expect.objectContaining({ event: 'DONE', part: '{"capacity":2000}' }));
    await end(other, 'SIGTERM');
    expect(other.process.exitCode).toBe(0);
  },
  120_000,
);
