import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LOG_LIMITS } from '../../../src/main/log-rotation.ts';
import { stopLeftStack } from '../../../src/main/stack.ts';
import { killProcess, processesOf, untilReplaced } from '../demo/run-demo.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/gridcast.mjs', import.meta.url));

/** After so long migrations are being made, as a rule. */
const MIGRATING_MILLISECONDS = 1200;

let folder: string;
let environment: NodeJS.ProcessEnv;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-serve-'));
  chmodSync(folder, 0o755);
  environment = { ...process.env, DATABASE_URL: '', REDIS_URL: '', GRIDCAST_DATA: folder };
});
afterAll(async () => {
  for (const data of [folder, join(folder, 'fresh'), join(folder, 'demo')]) await stopLeftStack(data, () => undefined);
  rmSync(folder, { recursive: true, force: true });
});

function untilSaid(stream: Readable, words: string): Promise<void> {
  let said = '';
  return new Promise((done, fail) => {
    stream.on('data', (chunk) => {
      said += chunk;
      if (said.includes(words)) done();
    });
    stream.once('end', () => fail(new Error(`never said "${words}", but ${said}`)));
  });
}

/** Runs a command to its end and parses what it printed. */
// biome-ignore lint/suspicious/noExplicitAny: documents of every shape
async function gridcast(...args: readonly string[]): Promise<any> {
  const { stdout } = await promisify(execFile)(process.execPath, [ENTRY, ...args, '--json'], { env: environment });
  return JSON.parse(stdout);
}

test('one command is the whole service on a machine without a database', async () => {
  const launcher = spawn(process.execPath, [ENTRY, 'serve', '--port', '0', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [announcement] = (await once(launcher.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(announcement.toString());

  const { token } = await gridcast('token', 'create', '--tenant', 'lab', '--principal', 'ada', '--role', 'gateway');
  expect(await gridcast('status', '--url', url, '--token', token)).toMatchObject({
    viewer: { name: 'ada', tenant: 'lab', role: 'GATEWAY' },
  });
  const log = join(folder, 'postgres.log');
  truncateSync(log, LOG_LIMITS.maxBytes + 1);
  await untilReplaced(folder, 'worker', killProcess(folder, 'worker'));
  expect(await gridcast('token', 'revoke', token)).toEqual({ revoked: true });
  await expect(gridcast('status', '--url', url, '--token', token)).rejects.toMatchObject({ code: 1 });

  const rotated = () => existsSync(`${log}.1`) && statSync(log).size < LOG_LIMITS.maxBytes;
  await vi.waitUntil(rotated, { timeout: 60_000, interval: 100 });

  launcher.kill('SIGINT');
  const [exitCode] = await once(launcher, 'exit');
  expect(exitCode).toBe(0);
  expect(processesOf(folder).size).toBe(0);
});

test('Ctrl-C while a service starts leaves nothing running, and a folder in which it starts again', async () => {
  const fresh = join(folder, 'fresh');
  const start = () => {
    const env = { ...environment, GRIDCAST_DATA: fresh };
    return spawn(process.execPath, [ENTRY, 'serve', '--port', '0'], { env, stdio: 'pipe', detached: true });
  };
  const interrupted = start();
  const told = text(interrupted.stderr);
  await untilSaid(interrupted.stderr, 'database schema');
  await sleep(MIGRATING_MILLISECONDS);
  process.kill(-(interrupted.pid as number), 'SIGINT');
  const [[exitCode], printed] = await Promise.all([once(interrupted, 'exit'), text(interrupted.stdout)]);
  expect(exitCode, await told).toBe(0);
  expect(printed).toBe('');
  expect(processesOf(fresh).size).toBe(0);

  const again = start();
  await untilSaid(again.stdout, 'Ctrl-C ends it');
  again.kill('SIGTERM');
  expect((await once(again, 'exit'))[0]).toBe(0);
});

test('Ctrl-C while the demo sets PostgreSQL up is no failure', async () => {
  const fresh = join(folder, 'demo');
  const demo = spawn(process.execPath, [ENTRY, 'demo', '--data', fresh, '--port', '0'], {
    env: environment,
    stdio: 'pipe',
    detached: true,
  });
  const printed = Promise.all([text(demo.stdout), text(demo.stderr)]);
  await vi.waitUntil(() => existsSync(join(fresh, 'postgres.new')), { timeout: 60_000, interval: 10 });
  process.kill(-(demo.pid as number), 'SIGINT');
  const [exitCode] = await once(demo, 'exit');
  expect((await printed).join('')).not.toContain('could not be set up');
  expect(exitCode).toBe(0);
  expect(processesOf(fresh).size).toBe(0);
});

test('of two services that are started in one folder at once one runs, and the other says why it does not', async () => {
  const launchers = [0, 1].map(() =>
    spawn(process.execPath, [ENTRY, 'serve', '--port', '0', '--json'], { env: environment, stdio: 'pipe' }),
  );
  const announcements = launchers.map(({ stdout }) => once(stdout, 'data'));
  const words = launchers.map((launcher) => text(launcher.stderr));
  const refused = await Promise.race(
    launchers.map((launcher, i) => once(launcher, 'exit').then(([code]) => ({ i, code }))),
  );
  expect(refused.code).not.toBe(0);
  const runs = launchers[1 - refused.i] as (typeof launchers)[0];
  expect(await words[refused.i]).toContain(`process ${runs.pid} runs in ${folder} already`);
  const [announcement] = (await announcements[1 - refused.i]) as [Buffer];
  expect(JSON.parse(announcement.toString())).toHaveProperty('url');
  runs.kill('SIGINT');
  const [exitCode] = await once(runs, 'exit');
  expect(exitCode).toBe(0);
});
