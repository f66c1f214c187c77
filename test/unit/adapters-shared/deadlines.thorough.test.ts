import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLocalRunner } from '../../../adapters/shared/local-runner.ts';
import { SiteGuard } from '../../../adapters/shared/site-guard.ts';
import { createSshRunner } from '../../../adapters/shared/ssh-runner.ts';
import { createSimulatorAdapter } from '../../../adapters/simulator/simulator.ts';
import { createSlurmAdapter } from '../../../adapters/slurm/slurm.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';

const TIMEOUT_MILLISECONDS = 400;
/** Far more than any deadline below, far less than what the sites here would take. */
const PATIENCE_MILLISECONDS = 20_000;
const SPEC = { name: 'job', script: '#!/bin/sh\n', arguments: [], processors: 1, walltimeSeconds: 60, queue: null };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-deadlines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How a call ended; fails when it does not end at all. */
async function endOf(call: Promise<unknown>): Promise<{ kind?: string; reason?: string; message?: string }> {
  const never = sleep(PATIENCE_MILLISECONDS, { message: 'it never ended' }, { ref: false });
  return Promise.race([call.then(() => ({ message: 'it succeeded' })).catch((error: Error) => error), never]);
}

/** A site that answers HTTP as it is told to. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createHttpServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A byte every now and then, so that the connection is never idle and the answer never ends. */
const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
};

/** Says more and more for as long as anybody listens. */
const flood: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const block = Buffer.alloc(1 << 20, 32);
  const pour = () => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', pour);
  pour();
};

/** The same in a small package. */
const bomb: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  const packer = createGzip();
  packer.pipe(response);
  const block = Buffer.alloc(1 << 20, 32);
  const pour = () => {
    while (!response.destroyed && packer.write(block));
  };
  packer.on('drain', pour);
  pour();
};

function tokenFile(token: string): string {
  const path = join(mkdtempSync(join(folder, 'token-')), 'token');
  writeFileSync(path, token);
  return path;
}

const slurmAt = (url: string, token = 'header.payload.signature', timeoutMilliseconds = TIMEOUT_MILLISECONDS) =>
  createSlurmAdapter({
    transport: { kind: 'rest', url, user: 'alice', tokenFile: tokenFile(token) },
    workFolder: '/tmp',
    timeoutMilliseconds,
    outputLimitCharacters: 1 << 20,
    failuresInARow: 1000,
  });
const simulatorAt = (url: string, timeoutMilliseconds = TIMEOUT_MILLISECONDS) =>
  createSimulatorAdapter({ url, site: 'quick', timeoutMilliseconds, answerLimitBytes: 1 << 20 });

const HTTP_SITES: [string, (url: string, timeoutMilliseconds?: number) => SiteAdapter][] = [
  ['slurmrestd', (url, timeout) => slurmAt(url, undefined, timeout)],
  ['the simulator', simulatorAt],
];

describe.each(HTTP_SITES)('a call to %s', (name, connect) => {
  test('ends by its deadline though a byte comes again and again', async () => {
    const site = connect(await serve(drip));
    onTestFinished(() => site.close());
    expect(await endOf(site.snapshot())).toMatchObject({ kind: 'transient' });
    expect(await endOf(site.submit(SPEC, 'e-1'))).toHaveProperty(
      'kind',
      name === 'slurmrestd' ? 'transient' : 'unknown',
    );
  });

  test('ends when the answer is longer than it may be', async () => {
    const site = connect(await serve(flood), PATIENCE_MILLISECONDS);
    onTestFinished(() => site.close());
    expect(await endOf(site.snapshot())).toMatchObject({ kind: 'transient', code: 'TOO_LARGE' });
  });

  test('does not unpack a bomb', async () => {
    const site = connect(await serve(bomb), 5000);
    onTestFinished(() => site.close());
    expect(await endOf(site.snapshot())).toMatchObject({ kind: 'transient' });
  });
});

describe('a token that is no header', () => {
  test.each([
    'one\ntwo',
    'tab\u0007bell',
    'sch\u00f6n',
    '',
  ])('%j ends every call, and the next good one works', async (bad) => {
    const url = await serve((_request, response) => response.writeHead(404).end('{}'));
    const path = tokenFile(bad);
    const transport = { kind: 'rest', url, user: 'alice', tokenFile: path } as const;
    const site = createSlurmAdapter({ transport, workFolder: '/tmp', timeoutMilliseconds: 2000, failuresInARow: 1000 });
    onTestFinished(() => site.close());
    for (let call = 0; call < 12; call++) {
      expect(await endOf(site.facts())).toMatchObject({ kind: 'transient', code: 'MISCONFIGURED' });
    }
    writeFileSync(path, 'good.enough.token\n');
    expect(await endOf(site.facts())).toMatchObject({ message: expect.stringContaining('speaks none of') });
  });

  test('nor is one that cannot be read to its end', async () => {
    const path = join(folder, 'fifo');
    execFileSync('mkfifo', [path]);
    for (const file of [path, '/dev/zero']) {
      const transport = { kind: 'rest', url: 'http://127.0.0.1:9', user: 'alice', tokenFile: file } as const;
      const site = createSlurmAdapter({ transport, workFolder: '/tmp', failuresInARow: 1000 });
      expect(await endOf(site.facts())).toMatchObject({ kind: 'transient', code: 'MISCONFIGURED' });
      await site.close();
    }
  });
});

describe('a program', () => {
  const runner = createLocalRunner({
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    outputLimitCharacters: 10_000,
    environment: {},
  });

  test('that ignores SIGTERM is killed, and its children too', async () => {
    const seconds = `601.${process.pid}`;
    const script = `trap '' TERM; sleep ${seconds} & while :; do sleep ${seconds}; done`;
    expect(await endOf(runner.run({ argv: ['sh', '-c', script] }))).toMatchObject({ reason: 'TIMED_OUT' });
    await vi.waitFor(() => expect(running(seconds)).toEqual([]), 5000);
  });

  test('is told to end before it is killed', async () => {
    const file = join(folder, 'goodbye');
    const script = `trap 'echo goodbye > ${file}; exit 0' TERM; while :; do sleep 0.05; done`;
    expect(await endOf(runner.run({ argv: ['sh', '-c', script] }))).toMatchObject({ reason: 'TIMED_OUT' });
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('goodbye\n'), 5000);
  });

  test('whose grandchild keeps its output open is not waited for', async () => {
    const seconds = `602.${process.pid}`;
    const argv = ['sh', '-c', `setsid sleep ${seconds} & echo started`] as const;
    onTestFinished(() => {
      for (const id of running(seconds)) process.kill(id, 'SIGKILL');
    });
    expect(await endOf(runner.run({ argv }))).toMatchObject({ reason: 'TIMED_OUT' });
  });
});

describe('an ssh connection', () => {
  const limits = { timeoutMilliseconds: TIMEOUT_MILLISECONDS, outputLimitCharacters: 10_000, environment: {} };
  const target = { host: 'nowhere', connectTimeoutSeconds: 1, keepAliveSeconds: 15 };

  test('that never comes about ends by its deadline and leaves nothing behind', async () => {
    const seconds = `603.${process.pid}`;
    const configFile = join(folder, 'ssh-stuck');
    writeFileSync(configFile, `ProxyCommand sh -c 'trap "" TERM HUP; sleep ${seconds}; sleep ${seconds}'\n`);
    const runner = createSshRunner({ ...target, configFile }, limits);
    expect(await endOf(runner.run({ argv: ['true'] }))).toMatchObject({ reason: 'NOT_STARTED' });
    await endOf(runner.close());
    await vi.waitFor(() => expect(running(seconds)).toEqual([]), 5000);
  });

  test('whose shared socket answers nothing ends by its deadline', async () => {
    const controlPath = join(folder, 'mute');
    const mute = createServer(() => undefined);
    await new Promise<void>((listening) => mute.listen(controlPath, listening));
    onTestFinished(() => void mute.close());
    const runner = createSshRunner({ ...target, configFile: 'none', controlPath }, limits);
    expect(await endOf(runner.run({ argv: ['true'] }))).toHaveProperty('reason', 'NOT_STARTED');
    expect(await endOf(runner.close())).toEqual({ message: 'it succeeded' });
  });
});

test('a call that waits for its turn gives up in time and is not carried out later', async () => {
  const guard = new SiteGuard('here', {
    maxConcurrent: 1,
    maxWaiting: 10,
    failuresInARow: 5,
    coolDownMilliseconds: 100,
    maxWaitMilliseconds: 200,
  });
  let letGo = () => {};
  const first = guard.run('scheduler', () => new Promise<void>((done) => (letGo = done)));
  let isDone = false;
  const second = guard.run('scheduler', async () => {
    isDone = true;
  });
  expect(await endOf(second)).toMatchObject({ kind: 'transient' });
  letGo();
  await first;
  await guard.run('scheduler', async () => undefined);
  expect(isDone).toBe(false);
});

/** Processes of this machine with the word in their command line. */
function running(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}
