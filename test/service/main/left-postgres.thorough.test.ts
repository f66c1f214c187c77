import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalPostgres, startLocalPostgres } from '../../../src/main/embedded-postgres.ts';
import { ownerOf } from '../../../src/main/postgres-programs.ts';
import { isAlive } from '../../../src/main/process-list.ts';

let folder: string;
let server: LocalPostgres | null;
let stranger: ChildProcess | null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-left-'));
  server = await startLocalPostgres({ folder, disposable: true });
  stranger = null;
});

afterEach(async () => {
  await server?.stop();
  stranger?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const lockFiles = () => [join(folder, 'postgres/postmaster.pid'), join(folder, 'socket/.s.PGSQL.5432.lock')];

async function startAgain(): Promise<number> {
  server = await startLocalPostgres({ folder, disposable: true });
  expect(await server.database('gridcast')).toContain('gridcast');
  return server.pid;
}

test('a server that is shutting down is waited for', async () => {
  const before = server?.pid as number;
  process.kill(before, 'SIGTERM');
  const ended = server?.stop();
  expect(await startAgain()).not.toBe(before);
  await ended;
});

test('one that is gone holds nobody up, though another process of its user has its pid by now', async () => {
  const locks = lockFiles().map((file) => [file, readFileSync(file, 'utf8')] as const);
  await server?.stop();
  stranger = spawn('sleep', ['600'], { ...ownerOf(join(folder, 'postgres')), stdio: 'ignore' });
  for (const [file, lock] of locks) writeFileSync(file, lock.replace(/^\d+/, String(stranger.pid)));
  expect(await startAgain()).not.toBe(stranger.pid);
});

test('one that was killed is followed by another at once', async () => {
  const before = server?.pid as number;
  process.kill(before, 'SIGKILL');
  expect(await startAgain()).not.toBe(before);
});

test('what a killed one left at work is waited for', async () => {
  const client = new pg.Client({ connectionString: (await server?.database('gridcast')) ?? '' });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const worker = rows[0]?.pid as number;
  const counted = client.query('SELECT count(*) FROM generate_series(1, 20000000)').catch(() => null);
  process.kill(server?.pid as number, 'SIGKILL');
  expect(isAlive(worker)).toBe(true);
  await startAgain();
  expect(isAlive(worker)).toBe(false);
  await counted;
});
