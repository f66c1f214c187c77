import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EXIT } from '../../../src/cli/failure.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/gridcast.mjs', import.meta.url));
const PATIENCE = { timeout: 60_000, interval: 100 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-interrupted-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The PostgreSQL that the bench has started; null before it is ready. */
function readyPostmaster(): number | null {
  const benches = readdirSync(folder).filter((name) => name.startsWith('gridcast-bench-'));
  const file = join(folder, benches[0] ?? '', 'postgres/postmaster.pid');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines[7]?.trim() === 'ready' ? Number(lines[0]) : null;
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a bench that is interrupted leaves no PostgreSQL behind', async () => {
  const bench = spawn(process.execPath, [ENTRY, 'bench', 'restore'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  });
  const pid = await vi.waitUntil(readyPostmaster, PATIENCE);
  bench.kill('SIGINT');
  expect(await once(bench, 'exit')).toEqual([EXIT.cancelled, null]);
  await vi.waitUntil(() => !lives(pid), PATIENCE);
});
