import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedSitesServer, serveSimulatedSites } from '../../../adapters/simulator/server.ts';
import { createSimulatorAdapter } from '../../../adapters/simulator/simulator.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import { SteppedClock } from '../../stepped-clock.ts';

const ORIGIN_AT = 1_700_000_000;
/** Two nodes of 16 processors for everybody, and two of 8 with 4 GPUs each for the queue `gpu`. */
const SITE = {
  name: 'mixed',
  processors: 32,
  node: { processors: 16, memoryMebibytes: 65_536, features: ['ib'] },
  queues: [
    { name: 'batch', isDefault: true },
    {
      name: 'gpu',
      nodes: { count: 2, processors: 8, memoryMebibytes: 32_768, gpus: [{ kind: 'a100', count: 4 }], load: 0.0001 },
    },
  ],
  workload: { generated: { seed: 1, load: 0.0001 } },
  warmDays: 0,
};

let folder: string;
let clock: SteppedClock;
let server: SimulatedSitesServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-partitions-'));
  clock = new SteppedClock(ORIGIN_AT);
  server = await serve();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const serve = () => serveSimulatedSites({ sites: [SITE], clock, journalFolder: folder, port: 0 });
const connect = () => createSimulatorAdapter({ url: server.url, site: 'mixed' });

function spec(overrides: Partial<JobSpec> = {}): JobSpec {
  const script = '#!/bin/sh\nsleep 100\n';
  return { name: 'work', script, arguments: [], processors: 1, walltimeSeconds: 600, queue: null, ...overrides };
}

test('a site tells its nodes by the queues that may use them', async () => {
  const { processors, queues, nodeShapes } = await connect().facts();
  expect(processors).toBe(48);
  expect(queues.map(({ name, processors }) => [name, processors])).toEqual([
    ['batch', undefined],
    ['gpu', 16],
  ]);
  expect(nodeShapes).toEqual([
    { count: 2, processors: 16, memoryMebibytes: 65_536, gpus: [], features: ['ib'], queues: ['batch'] },
    {
      count: 2,
      processors: 8,
      memoryMebibytes: 32_768,
      gpus: [{ kind: 'a100', count: 4 }],
      features: [],
      queues: ['gpu'],
    },
  ]);
});

test('GPUs run out by themselves: the next job waits for them while processors are free elsewhere', async () => {
  const site = connect();
  const gpus = (count: number) => spec({ queue: 'gpu', resources: { gpus: count, gpuKind: 'a100' } });
  const first = await site.submit(gpus(6), 'key-1');
  const second = await site.submit(gpus(4), 'key-2');
  const third = await site.submit(spec({ processors: 32 }), 'key-3');
  const states = async () => {
    const seen = await site.inspect([first, second, third]);
    return [first, second, third].map(({ nativeId }) => seen.get(nativeId)?.state);
  };
  expect(await states()).toEqual(['RUNNING', 'WAITING', 'RUNNING']);
  expect(first.nativeId).toMatch(/^gpu\.\d+$/);
  const snapshot = await site.snapshot();
  expect(snapshot.waiting).toMatchObject([{ key: 'key-2', queue: 'gpu', gpus: 4, processors: 8 }]);
  expect(snapshot).toMatchObject({ processors: 48, freeProcessors: 4 });
  clock.advanceTo(ORIGIN_AT + 150);
  expect(await states()).toEqual(['ENDED', 'RUNNING', 'ENDED']);
  expect(await site.find('key-1', ORIGIN_AT)).toMatchObject({ outcome: 'COMPLETED', billedProcessors: 12 });
  const { records } = await site.history(ORIGIN_AT);
  expect(records.map(({ nativeId }) => nativeId).sort()).toEqual(
    [first, second, third].map((one) => one.nativeId).sort(),
  );
  expect(records.find(({ nativeId }) => nativeId === first.nativeId)).toMatchObject({ gpus: 6, processors: 12 });
});

test("other people's jobs tell the share of the GPUs that their processors are, in queue and accounting", async () => {
  const [batch, gpu] = SITE.queues;
  const busy = { ...SITE, queues: [batch, { ...gpu, nodes: { ...gpu?.nodes, load: 0.9 } }], warmDays: 4 };
  const sites = [busy as typeof SITE];
  const other = await serveSimulatedSites({ sites, clock, journalFolder: join(folder, 'busy'), port: 0 });
  const site = createSimulatorAdapter({ url: other.url, site: 'mixed' });
  const { running, waiting } = await site.snapshot();
  const { records } = await site.history(0);
  await other.close();
  const there = [...running, ...waiting, ...records].filter(({ queue }) => queue === 'gpu');
  expect(there.length).toBeGreaterThan(20);
  for (const { gpus = 0, processors } of there) expect(gpus).toBe(Math.round(processors / 2));
  expect(there.some(({ gpus = 0 }) => gpus > 0)).toBe(true);
});

test('memory takes processors with it, and a node to oneself all of them', async () => {
  const site = connect();
  const heavy = await site.submit(spec({ resources: { memoryPerNodeMebibytes: 32_768 } }), 'key-1');
  const alone = await site.submit(spec({ resources: { exclusive: true } }), 'key-2');
  const held = new Map((await site.snapshot()).running.map(({ nativeId, processors }) => [nativeId, processors]));
  expect([held.get(heavy.nativeId), held.get(alone.nativeId)]).toEqual([8, 16]);
});

test.each<[string, Partial<JobSpec>, RegExp]>([
  ['GPUs where there are none', { resources: { gpus: 1 } }, /not available \(gpus: none of its nodes has GPUs/],
  ['another kind', { queue: 'gpu', resources: { gpus: 1, gpuKind: 'h100' } }, /gpuKind: .*only a100/],
  ['more memory than a node has', { resources: { memoryPerNodeMebibytes: 70_000 } }, /at most 65536/],
  ['more processors than its queue has', { queue: 'gpu', processors: 17 }, /17 of 16 in gpu/],
  ['an account', { terms: { account: 'physics' } }, /does not honour account/],
])('%s are refused', async (_what, changes, words) => {
  const failure = await connect()
    .submit(spec(changes), 'key-1')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Rejected);
  expect((failure as Rejected).siteSays).toMatch(words);
});

test('a site that is started again has the same jobs on the same nodes', async () => {
  const job = await connect().submit(spec({ queue: 'gpu', resources: { gpus: 2 } }), 'key-1');
  await server.close();
  server = await serve();
  expect(await connect().find('key-1', ORIGIN_AT)).toMatchObject({ nativeId: job.nativeId, state: 'RUNNING' });
  await connect().cancel(job);
  expect(await connect().find('key-1', ORIGIN_AT)).toMatchObject({ outcome: 'CANCELLED' });
});
