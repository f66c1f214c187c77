import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('../../../bin/one-at-a-time.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gridcast-turns-'));
const lock = join(folder, 'busy/.preparing');
const log = join(folder, 'log');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(log, ''));

/** A process that writes down when it begins and ends its work. */
function worker(name: string): Promise<number | null> {
  const work = `
    import { appendFileSync } from 'node:fs';
    import { oneAtATime } from ${JSON.stringify(MODULE)};
    oneAtATime(${JSON.stringify(lock)}, () => {
      appendFileSync(${JSON.stringify(log)}, 'begin ${name}\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
      appendFileSync(${JSON.stringify(log)}, 'end ${name}\\n');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', work], { stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', resolve));
}

const lines = () => readFileSync(log, 'utf8').trim().split('\n');

test('processes that prepare a checkout at a time do so one after another', async () => {
  const names = ['a', 'b', 'c', 'd'];
  expect(await Promise.all(names.map(worker))).toEqual([0, 0, 0, 0]);
  const said = lines();
  expect(said).toHaveLength(8);
  for (let at = 0; at < 8; at += 2) expect(said[at + 1]).toBe(said[at]?.replace('begin', 'end'));
  expect(existsSync(lock)).toBe(false);
});

test('one that died while it did holds nobody up', async () => {
  const dead = spawn(process.execPath, ['--eval', '']);
  await new Promise((resolve) => dead.once('exit', resolve));
  writeFileSync(lock, String(dead.pid));
  expect(await worker('next')).toBe(0);
  expect(lines()).toEqual(['begin next', 'end next']);
});

test.runIf(process.platform === 'linux')('nor does one whose parent took no note of its end', async () => {
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  writeFileSync(lock, String(pid).trim());
  const ended = worker('next');
  const done = await Promise.race([ended, sleep(10_000)]);
  parent.kill('SIGKILL');
  await ended;
  expect(done).toBe(0);
});
