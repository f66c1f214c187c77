import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type SimulatedSitesOptions,
  type SimulatedSitesServer,
  serveSimulatedSites,
} from '../../../adapters/simulator/server.ts';
import { createSimulatorAdapter } from '../../../adapters/simulator/simulator.ts';
import { Rejected, Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { readJournal } from '../../read-journal.ts';
import { SteppedClock } from '../../stepped-clock.ts';

const ORIGIN_AT = 1_700_000_000;
const BUSY = {
  name: 'busy',
  processors: 64,
  workload: { generated: { seed: 7, load: 0.8 } },
  warmDays: 20,
} as const;
const IDLE = {
  name: 'idle',
  processors: 16,
  queues: [
    { name: 'long', isDefault: true, maxProcessors: 16, maxWalltimeSeconds: 7200 },
    { name: 'short', maxProcessors: 4, maxWalltimeSeconds: 600 },
  ],
  workload: { generated: { seed: 1, load: 0.0001 } },
  warmDays: 0,
} as const;

let folder: string;
let clock: SteppedClock;
let servers: SimulatedSitesServer[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-sites-'));
  clock = new SteppedClock(ORIGIN_AT);
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true });
});

async function serve(faults?: SimulatedSitesOptions['faults'], timeoutMilliseconds = 5000) {
  const server = await serveSimulatedSites({
    sites: [BUSY, IDLE],
    clock,
    journalFolder: folder,
    port: 0,
    ...(faults ? { faults } : {}),
  });
  servers.push(server);
  const adapter = (site: string) => createSimulatorAdapter({ url: server.url, site, timeoutMilliseconds });
  return { server, busy: adapter('busy'), idle: adapter('idle') };
}

function spec(overrides: Partial<JobSpec> = {}): JobSpec {
  return {
    name: 'work',
    script: '#!/bin/sh\nsleep 100\n',
    arguments: [],
    processors: 4,
    walltimeSeconds: 600,
    queue: null,
    ...overrides,
  };
}

test('a fresh site has a queue, running jobs of other people and a long history', async () => {
  const { busy } = await serve();
  const snapshot = await busy.snapshot();
  const used = snapshot.running.reduce((sum, job) => sum + job.processors, 0);
  expect(snapshot.observedAt).toBe(ORIGIN_AT);
  expect(snapshot.freeProcessors).toBe(64 - used);
  expect(snapshot.running.every((job) => /^user\d+$/.test(job.user ?? '') && job.key === null)).toBe(true);
  const { records, nextSince } = await busy.history(0);
  expect(records.length).toBeGreaterThan(500);
  expect(nextSince).toBe(ORIGIN_AT);
  expect(records.filter((record) => record.endAt !== null && record.endAt > ORIGIN_AT)).toEqual([]);
});

test('a job waits, runs for the sum of its sleeps and ends with its exit code', async () => {
  const { idle } = await serve();
  const accepted = await idle.submit(spec({ script: '#!/bin/sh\nsleep 60\nsleep 30\nexit 3\n' }), 'key-1');
  expect(accepted.submittedAt).toBe(ORIGIN_AT);
  expect(await idle.find('key-1', ORIGIN_AT)).toMatchObject({ state: 'RUNNING', startAt: ORIGIN_AT });
  expect((await idle.snapshot()).running).toMatchObject([{ key: 'key-1', queue: 'long', processors: 4 }]);
  clock.advanceTo(ORIGIN_AT + 89);
  expect((await idle.inspect([accepted])).get(accepted.nativeId)?.state).toBe('RUNNING');
  clock.advanceTo(ORIGIN_AT + 90);
  expect((await idle.inspect([accepted])).get(accepted.nativeId)).toMatchObject({
    state: 'ENDED',
    outcome: 'FAILED',
    exitCode: 3,
    endAt: ORIGIN_AT + 90,
  });
});

test('a job holds its processors until the moment its preamble names, and is killed at its walltime', async () => {
  const { idle } = await serve();
  const preamble = `GRIDCAST_HOLD_UNTIL=${ORIGIN_AT + 300}\nwhile hold; do\n  sleep 30\ndone\n`;
  const kept = await idle.submit(spec({ script: `#!/bin/sh\n${preamble}sleep 100\n` }), 'kept');
  const killed = await idle.submit(spec({ script: `#!/bin/sh\n${preamble}sleep 1000\n` }), 'killed');
  clock.advanceTo(ORIGIN_AT + 5000);
  const jobs = await idle.inspect([kept, killed]);
  expect(jobs.get(kept.nativeId)).toMatchObject({ outcome: 'COMPLETED', endAt: ORIGIN_AT + 400 });
  expect(jobs.get(killed.nativeId)).toMatchObject({ outcome: 'TIMEOUT', endAt: ORIGIN_AT + 600, exitCode: null });
});

test('cancelling frees processors, and cancelling again is no error', async () => {
  const { idle } = await serve();
  const running = await idle.submit(spec({ processors: 16 }), 'first');
  const waiting = await idle.submit(spec({ processors: 16 }), 'second');
  expect((await idle.snapshot()).waiting).toMatchObject([{ key: 'second' }]);
  await idle.cancel(running);
  await idle.cancel(running);
  expect(await idle.find('first', ORIGIN_AT)).toMatchObject({ state: 'ENDED', outcome: 'CANCELLED' });
  expect(await idle.find('second', ORIGIN_AT)).toMatchObject({ state: 'RUNNING', nativeId: waiting.nativeId });
  await idle.cancel({ nativeId: '999999', submittedAt: ORIGIN_AT });
  await idle.cancel({ nativeId: waiting.nativeId, submittedAt: ORIGIN_AT - 86_400 });
  expect((await idle.snapshot()).running).toHaveLength(1);
});

test.each([
  ['too many processors', { processors: 17 }, /More processors requested than permitted/],
  ['a walltime beyond the limit', { walltimeSeconds: 7201 }, /Requested time limit is invalid/],
  ['an unknown queue', { queue: 'fast' }, /invalid partition specified: fast/],
  ['no processors', { processors: 0 }, /Invalid number of processors/],
])('%s is refused in the words of a site', async (_, overrides, words) => {
  const { idle } = await serve();
  const refusal = await idle.submit(spec(overrides), 'key').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Rejected);
  expect((refusal as Rejected).siteSays).toMatch(words);
  expect(await idle.find('key', ORIGIN_AT)).toBeNull();
});

test('two submissions with one key are two native jobs, and the journal tells', async () => {
  const { idle } = await serve();
  await idle.submit(spec(), 'twice');
  await idle.submit(spec(), 'twice');
  expect(readJournal(folder, 'idle').filter((entry) => entry.kind === 'submit' && entry.key === 'twice')).toHaveLength(
    2,
  );
});

test('a site that is killed and started again is the same site', async () => {
  const { server, busy } = await serve();
  const accepted: { nativeId: string; submittedAt: number }[] = [];
  for (let step = 1; step <= 40; step++) {
    clock.advanceTo(ORIGIN_AT + step * 1777);
    accepted.push(
      await busy.submit(spec({ processors: 1 + (step % 16), script: `sleep ${step * 50}` }), `key-${step}`),
    );
    if (step % 5 === 0) await busy.cancel(accepted[step - 3] as (typeof accepted)[number]);
  }
  clock.advanceTo(ORIGIN_AT + 90_000);
  const before = await everything(busy, accepted);
  await server.close();
  servers = [];
  const { busy: again } = await serve();
  expect(await everything(again, accepted)).toEqual(before);
});

async function everything(site: SiteAdapter, accepted: readonly { nativeId: string; submittedAt: number }[]) {
  return {
    snapshot: await site.snapshot(),
    jobs: [...(await site.inspect(accepted))],
    history: await site.history(0),
  };
}

test('a lost reply is unknown, and find knows that the job exists', async () => {
  const { idle } = await serve({ dropReplies: 1 });
  await expect(idle.submit(spec(), 'lost')).rejects.toBeInstanceOf(Unknown);
  expect(await idle.find('lost', ORIGIN_AT)).toMatchObject({ state: 'RUNNING' });
});

test('a reply that comes too late is unknown', async () => {
  const { idle } = await serve({ latencyMilliseconds: 300 }, 100);
  await expect(idle.submit(spec(), 'late')).rejects.toBeInstanceOf(Unknown);
  await expect(idle.snapshot()).rejects.toBeInstanceOf(Unavailable);
});

test('an unavailable site does nothing and says so', async () => {
  const { idle, busy } = await serve({ unavailable: [{ site: 'idle', fromAt: ORIGIN_AT, untilAt: ORIGIN_AT + 60 }] });
  await expect(idle.submit(spec(), 'key')).rejects.toBeInstanceOf(Unavailable);
  await expect(idle.snapshot()).rejects.toBeInstanceOf(Unavailable);
  expect((await busy.snapshot()).processors).toBe(64);
  clock.advanceTo(ORIGIN_AT + 60);
  expect(await idle.find('key', ORIGIN_AT)).toBeNull();
});

test('a server that is gone is unavailable for every verb', async () => {
  const { server, idle } = await serve();
  await server.close();
  servers = [];
  await expect(idle.submit(spec(), 'key')).rejects.toBeInstanceOf(Unavailable);
  await expect(idle.history(0)).rejects.toBeInstanceOf(Unavailable);
});

test('accounting lags: an ended job is nowhere for a while', async () => {
  const { idle } = await serve({ accountingLagSeconds: 50 });
  const job = await idle.submit(spec({ script: 'sleep 10' }), 'lagging');
  clock.advanceTo(ORIGIN_AT + 20);
  expect((await idle.inspect([job])).size).toBe(0);
  expect(await idle.find('lagging', ORIGIN_AT)).toBeNull();
  clock.advanceTo(ORIGIN_AT + 60);
  expect(await idle.find('lagging', ORIGIN_AT)).toMatchObject({ state: 'ENDED', endAt: ORIGIN_AT + 10 });
  expect((await idle.history(ORIGIN_AT)).records).toMatchObject([{ endAt: ORIGIN_AT + 10, outcome: 'COMPLETED' }]);
});

test('a journal of another configuration is refused', async () => {
  const { server } = await serve();
  await server.close();
  servers = [];
  const changed = { ...BUSY, processors: 32 };
  await expect(serveSimulatedSites({ sites: [changed], clock, journalFolder: folder, port: 0 })).rejects.toThrow(
    /another configuration/,
  );
});

test.each([
  ['an unknown site', 'GET', '/sites/nowhere/facts', undefined, 404],
  ['an unknown request', 'GET', '/sites/idle/jokes', undefined, 404],
  ['a broken URL', 'GET', '/sites/%E0%A4/facts', undefined, 400],
  ['a missing number', 'GET', '/sites/idle/history', undefined, 400],
  ['no JSON', 'POST', '/sites/idle/jobs', '{"key":', 400],
  ['a job without a key', 'POST', '/sites/idle/jobs', JSON.stringify({ spec: {} }), 400],
  ['an endless body', 'POST', '/sites/idle/jobs', 'x'.repeat(5 << 20), 413],
])('%s is refused and changes nothing', async (_, method, path, body, status) => {
  const { server } = await serve();
  const response = await fetch(server.url + path, { method, ...(body === undefined ? {} : { body }) });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: expect.any(String) });
  expect(readJournal(folder, 'idle')).toEqual([]);
});

test('jobs on a site that goes down end as NODE_FAIL', async () => {
  const outages = [
    { afterSeconds: 50, kind: 'down' },
    { afterSeconds: 200, kind: 'resume' },
  ] as const;
  const server = await serveSimulatedSites({ sites: [{ ...IDLE, outages }], clock, journalFolder: folder, port: 0 });
  servers.push(server);
  const site = createSimulatorAdapter({ url: server.url, site: 'idle' });
  await site.submit(spec(), 'running');
  clock.advanceTo(ORIGIN_AT + 60);
  await site.submit(spec(), 'waiting');
  expect(await site.find('running', ORIGIN_AT)).toMatchObject({ outcome: 'NODE_FAIL', endAt: ORIGIN_AT + 50 });
  expect(await site.find('waiting', ORIGIN_AT)).toMatchObject({ state: 'WAITING' });
  clock.advanceTo(ORIGIN_AT + 200);
  expect(await site.find('waiting', ORIGIN_AT)).toMatchObject({ state: 'RUNNING', startAt: ORIGIN_AT + 200 });
});

describe('a site that replays a log', () => {
  const DAY = 86_400;
  // A job an hour for ten days: 2 of 4 processors for half an hour; every tenth does not fit the machine.
  const lines = Array.from({ length: 240 }, (_, hour) => {
    const processors = hour % 10 === 9 ? 64 : 2;
    return `${hour + 1} ${hour * 3600} 7 1800 ${processors} -1 -1 ${processors} 3600 -1 1 ${1 + (hour % 3)} 1 1 -1 -1 -1 -1`;
  });
  const replaying = (skipDays: number) => ({
    name: 'replay',
    processors: 4,
    warmDays: 2,
    workload: { trace: { file: join(folder, 'log.swf'), skipDays } },
  });

  async function serveReplay(skipDays: number) {
    writeFileSync(join(folder, 'log.swf'), `; MaxProcs: 64\n${lines.join('\n')}\n`);
    const sites = [replaying(skipDays)];
    const server = await serveSimulatedSites({ sites, clock, journalFolder: folder, port: 0 });
    servers.push(server);
    return createSimulatorAdapter({ url: server.url, site: 'replay' });
  }

  test('has lived through the first days of it', async () => {
    const site = await serveReplay(0);
    const { records } = await site.history(0);
    const begun = ORIGIN_AT - 2 * DAY;
    expect(records.map((record) => record.submitAt - begun).slice(0, 3)).toEqual([0, 3600, 7200]);
    expect(records).toHaveLength(45);
    expect(records[0]).toMatchObject({
      user: 'user001',
      processors: 2,
      requestedWalltimeSeconds: 3600,
      queue: 'batch',
    });
  });

  test('tells of other people what its accounting has, and use of those alone that ran their course', async () => {
    const header = 'jobid,user,group,account,jobname,qtime,start,end,procs,req_walltime,used_mem,used_cput,exit_status';
    const rows = Array.from({ length: 60 }, (_, hour) => {
      const at = ORIGIN_AT + hour * 3600;
      return `${hour}.m1,ann,staff,climate,wrf-${hour},${at},${at + 60},${at + 1860},2,3600,${hour}kb,${hour},0`;
    });
    writeFileSync(join(folder, 'accounting.csv'), `${header}\n${rows.join('\n')}\n`);
    const sites = [{ ...replaying(0), workload: { trace: { file: join(folder, 'accounting.csv') } } }];
    const server = await serveSimulatedSites({ sites, clock, journalFolder: folder, port: 0 });
    servers.push(server);
    const site = createSimulatorAdapter({ url: server.url, site: 'replay' });
    const { nativeId } = await site.submit(spec({ processors: 1 }), 'ours');
    clock.advanceTo(ORIGIN_AT + 600);
    const { records } = await site.history(0);
    const program = { name: 'wrf-7', script: null, arguments: [], workFolder: null };
    const use = { cpuSeconds: 7, memoryBytes: 7168, readBytes: null, writtenBytes: null };
    const [told] = records.filter((record) => record.program?.name === 'wrf-7');
    expect(told).toMatchObject({ account: 'climate', group: 'staff', program, use, outcome: 'COMPLETED' });
    const unfinished = records.filter(({ outcome }) => outcome === null);
    for (const record of unfinished) expect(record).not.toHaveProperty('use');
    const own = records.find((record) => record.nativeId === nativeId);
    expect(own).toMatchObject({ outcome: 'COMPLETED' });
    for (const untold of ['program', 'account', 'group', 'use']) expect(own).not.toHaveProperty(untold);
    const { running } = await site.snapshot();
    for (const job of running) expect(job).toMatchObject({ account: 'climate', program: { script: null } });
    for (const job of running) expect(job).not.toHaveProperty('use');
  });

  test('names the programs and groups that SWF numbers', async () => {
    const site = await serveReplay(0);
    const { records } = await site.history(0);
    expect(records[0]).toMatchObject({ group: 'group1', program: { name: 'application1' } });
    expect(records[0]).not.toHaveProperty('use');
  });

  test('begins over when the log is at its end, wherever it began', async () => {
    const site = await serveReplay(7);
    clock.advanceTo(ORIGIN_AT + 3 * DAY);
    const { records } = await site.history(0);
    const submitted = records.map((record) => record.submitAt - (ORIGIN_AT - 2 * DAY)).sort((a, b) => a - b);
    const lastOfRound = 71 * 3600;
    expect(submitted.filter((at) => at < lastOfRound)).toHaveLength(65 - 1);
    expect(submitted.find((at) => at > lastOfRound)).toBe(lastOfRound + 600);
  });

  test('refuses to begin behind its end', async () => {
    await expect(serveReplay(11)).rejects.toThrow(/over before day 11/);
  });
});
