import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stopLeftStack } from '../../../src/main/stack.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/gridcast.mjs', import.meta.url));

/** Runs a command of which nobody reads what it prints. */
async function runUnread(stream: 'stdout' | 'stderr', args: string[], variables: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...variables };
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const other = stream === 'stdout' ? 'stderr' : 'stdout';
  child[stream].destroy();
  const [heard, [exitCode]] = await Promise.all([text(child[other]), once(child, 'exit')]);
  return { heard, exitCode };
}

test.each([
  [['reserve', '--help']],
  [['completion', 'bash']],
  [['experiment']],
  [['simulate', '--jobs', '50', '--json']],
  [['bench', '--json']],
])('%j ends quietly when whoever reads it has seen enough', async (args) => {
  const { heard, exitCode } = await runUnread('stdout', args);
  expect(heard.replaceAll(/^ {2}jobs .*\n/gm, '')).toBe('');
  expect(exitCode).toBe(0);
});

test.runIf(existsSync('/dev/full'))('a command whose output cannot be written says so and ends with 1', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    const child = spawn(process.execPath, [ENTRY, 'completion', 'bash'], { stdio: ['ignore', full, 'pipe'] });
    const [heard, [exitCode]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
    expect(heard).toBe('gridcast: the output cannot be written: ENOSPC: no space left on device, write\n');
    expect(exitCode).toBe(1);
  } finally {
    closeSync(full);
  }
});

test('a command goes on when nobody reads of its progress', async () => {
  const { heard, exitCode } = await runUnread('stderr', ['simulate', '--jobs', '50', '--json']);
  expect(JSON.parse(heard)).toMatchObject({ jobs: 50 });
  expect(exitCode).toBe(0);
});

test('a service whose words nobody reads any more stops all that it has started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-unread-'));
  chmodSync(folder, 0o755);
  try {
    const { heard, exitCode } = await runUnread('stdout', ['serve', '--port', '0'], { GRIDCAST_DATA: folder });
    expect(heard).not.toContain('EPIPE');
    expect(exitCode).toBe(0);
    expect(existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false);
  } finally {
    await stopLeftStack(folder, () => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
