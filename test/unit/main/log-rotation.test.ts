import { closeSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPrivateLog } from '../../../src/main/files.ts';
import { keepRotating, rotateLog } from '../../../src/main/log-rotation.ts';

let folder: string;
let file: string;
let log: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-logs-'));
  file = join(folder, 'api.log');
  log = openPrivateLog(file);
});
afterEach(() => {
  closeSync(log);
  rmSync(folder, { recursive: true });
});

const limits = { maxBytes: 1000, keep: 3 };
/** As a process does that was given the open file and knows nothing of rotation. */
const write = (text: string) => writeSync(log, `${text}\n`.padEnd(600, '.'));

test('a log that is small enough stays as it is', () => {
  write('first');
  rotateLog(file, limits);
  expect(readdirSync(folder)).toEqual(['api.log']);
});

test('a log that is too large is set aside, and whoever writes goes on writing', () => {
  for (const word of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) {
    write(word);
    rotateLog(file, limits);
  }
  write('last');
  expect(readdirSync(folder).sort()).toEqual(['api.log', 'api.log.1', 'api.log.2', 'api.log.3']);
  expect(readFileSync(file, 'utf8')).toMatch(/^last/);
  expect(readFileSync(`${file}.1`, 'utf8')).toMatch(/^i\n\.*j\n/);
  expect(readFileSync(`${file}.3`, 'utf8')).toMatch(/^e\n\.*f\n/);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('logs are looked after until that is stopped, those that are not there yet too', async () => {
  const later = join(folder, 'worker.log');
  const stop = keepRotating(() => [file, later], { error: expect.unreachable }, limits, 10);
  write('a');
  write('b');
  await vi.waitFor(() => expect(readdirSync(folder)).toContain('api.log.1'));
  stop();
});
