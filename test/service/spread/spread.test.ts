import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseFault, runKey } from '../../../src/spread/part-jobs.ts';
import { type PartWorker, startPartWorker } from '../../../src/spread/part-worker.ts';
import { runCli } from '../cli/run-cli.ts';
import { hasRedis, startTestRedis, type TestRedis } from '../redis.ts';
import { logText } from './worker-processes.ts';

let redis: TestRedis;
let folder: string;
let log: string;
let worker: PartWorker;
const heard: string[] = [];
beforeAll(async () => {
  if (!hasRedis) return;
  redis = await startTestRedis();
  folder = mkdtempSync(join(tmpdir(), 'gridcast-spread-'));
  mkdirSync(join(folder, 'theirs'));
  log = join(folder, 'some.swf');
  for (const file of [log, join(folder, 'theirs', 'some.swf')]) writeFileSync(file, logText(900));
  worker = await startPartWorker({
    url: redis.url,
    folder: join(folder, 'theirs'),
    threads: 2,
    host: 'here',
    onPart: ({ event, part }) => heard.push(`${event} ${part}`),
  });
});
afterAll(async () => {
  await worker?.close();
  await redis?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

const withWorkers = (...args: string[]) => runCli(...args, '--workers', redis.url, '--json');

test.runIf(hasRedis)(
  'an experiment by workers is byte for byte that of one machine',
  async () => {
    const wait = ['experiment', 'wait', '--trace', log, '--set', 'predictors=baseline/last,baseline/mean'];
    const scored = ['--set', 'scored=300-800', '--html'];
    const [alone, spread] = [join(folder, 'alone.html'), join(folder, 'spread.html')];
    const here = await runCli(...wait, ...scored, alone, '--threads', '1', '--json');
    const there = await withWorkers(...wait, ...scored, spread);
    expect(there.exitCode, there.stderr).toBe(0);
    expect(there.json().rows).toHaveLength(2);
    expect(there.stdout.replaceAll(spread, alone)).toBe(here.stdout);
    expect(readFileSync(spread, 'utf8')).toBe(readFileSync(alone, 'utf8'));
    expect(heard).toEqual(expect.arrayContaining(['DONE baseline/last', 'DONE baseline/mean']));

    const client = new Redis(redis.url);
    const left = await client.keys(`bull:*:*_*`);
    expect([...left, ...(await client.keys(runKey('*')))]).toEqual([]);
    client.disconnect();
  },
  60_000,
);

test.runIf(hasRedis)(
  'what cannot be is told as on one machine, and which file a worker lacks',
  async () => {
    const other = join(folder, 'other.swf');
    writeFileSync(other, logText(500));
    const missing = await withWorkers('experiment', 'policies', '--trace', other, '--set', 'policies=fcfs');
    expect(missing.exitCode).toBe(1);
    expect(missing.json().error.message).toMatch(
      /^part fcfs: worker here has no file other.swf; put the one with the SHA/,
    );
    writeFileSync(join(folder, 'theirs', 'other.swf'), logText(501));
    const mixed = await withWorkers('experiment', 'policies', '--trace', other, '--set', 'policies=fcfs');
    expect(mixed.json().error.message).toMatch(/has another file other.swf, of checksum [0-9a-f]{64}; put/);

    const told = ['experiment', 'wait', '--trace', log, '--set', 'predictors=wait/none'];
    const there = await withWorkers(...told);
    expect(there.exitCode).toBe(1);
    expect(there.stdout).toBe((await runCli(...told, '--threads', '1', '--json')).stdout);
  },
  60_000,
);

test.runIf(hasRedis)(
  'workers that are not there are waited for so long as the caller says',
  async () => {
    await worker.close();
    const policies = ['experiment', 'policies', '--trace', log, '--set', 'policies=fcfs', '--patience', '1'];
    const alone = await withWorkers(...policies);
    expect(alone.exitCode).toBe(3);
    expect(alone.json().error.message).toMatch(/no worker was heard of .* for \d+ s; 1 of 1 parts are left/);
    expect(alone.json().error.message).not.toContain(new URL(redis.url).password);
    const wrong = await runCli(...policies, '--workers', 'redis://:no@127.0.0.1:1', '--json');
    expect(wrong.exitCode).toBe(3);
    expect((await runCli(...policies, '--workers', redis.url, '--threads', '2', '--json')).exitCode).toBe(2);
  },
  60_000,
);

test('a fault is read as it was written, and a stalled job is a lost part', () => {
  expect(parseFault('FILE: worker a has none')).toMatchObject({ kind: 'FILE', message: 'worker a has none' });
  expect(parseFault('job stalled more than allowable limit')).toMatchObject({ kind: 'LOST' });
  expect(parseFault('NONE: what')).toMatchObject({ kind: 'FAULT', message: 'NONE: what' });
});
