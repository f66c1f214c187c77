import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GATE_EXIT_CODE, withGatePreamble } from '../../../src/plan/hold-preamble.ts';

const SHELLS = ['/bin/sh', '/usr/bin/dash', '/usr/bin/bash'].filter((path) => existsSync(path));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate-preamble-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(shell: string, script: string, gateSeconds: number) {
  const path = join(mkdtempSync(join(folder, 'job-')), 'job.sh');
  writeFileSync(path, withGatePreamble(script, gateSeconds));
  const child = spawn(shell, [path], { env: { PATH: process.env.PATH, TMPDIR: folder } });
  const said: string[] = [];
  child.stdout.on('data', (chunk) => said.push(String(chunk)));
  return { child, said };
}

/** As Gridcast does: again and again until it has heard. */
async function tellUntilOver(child: ChildProcessWithoutNullStreams, everyMilliseconds: number): Promise<number | null> {
  const telling = setInterval(() => child.kill('SIGURG'), everyMilliseconds);
  const [status] = await once(child, 'close');
  clearInterval(telling);
  return status;
}

test('the gate stands on a line of its own near the beginning, rounded up', () => {
  expect(withGatePreamble('sleep 5\n', 599.2).split('\n').slice(0, 3)).toContain('GRIDCAST_GATE_SECONDS=600');
});

describe.each(SHELLS)('under %s', (shell) => {
  test('nothing of the work runs before it is told to; signals that come more than once do no harm', async () => {
    const { child, said } = start(shell, '#!/bin/sh\necho begun\nsleep 1\nexit 37\n', 600);
    expect(await tellUntilOver(child, 100)).toBe(37);
    expect(said.join('')).toBe('begun\n');
    expect(readdirSync(folder).filter((name) => name.startsWith('gridcast.'))).toEqual([]);
  });

  test('who is told all the time ends as its work does', async () => {
    const told = Array.from({ length: 8 }, () => {
      const { child } = start(shell, '#!/bin/sh\nsleep 0.2\nexit 37\n', 600);
      return tellUntilOver(child, 2);
    });
    expect(new Set(await Promise.all(told))).toEqual(new Set([37]));
  });

  test('who is never told gives up in time, without any of the work', async () => {
    const { child, said } = start(shell, '#!/bin/sh\necho begun\n', 1);
    const [status] = await once(child, 'close');
    expect(status).toBe(GATE_EXIT_CODE);
    expect(said).toEqual([]);
  });

  test('who is cancelled at the gate leaves at once', async () => {
    const { child, said } = start(shell, '#!/bin/sh\necho begun\n', 600);
    const leaving = setInterval(() => child.kill('SIGTERM'), 100);
    const [status, signal] = await once(child, 'close');
    clearInterval(leaving);
    expect(status === 143 || signal === 'SIGTERM').toBe(true);
    expect(said).toEqual([]);
  });
});
