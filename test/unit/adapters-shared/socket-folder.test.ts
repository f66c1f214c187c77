import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSocketFolder, SOCKET_NAME } from '../../../adapters/shared/socket-folder.ts';

let temporary: string;
const before = process.env.TMPDIR;
beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'socket-folder-'));
  process.env.TMPDIR = temporary;
});
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(temporary, { recursive: true });
});

/** A pid that nobody has any more. */
function deadPid(): number {
  return spawnSync('true').pid;
}

function folderOf(pid: number): string {
  const folder = join(temporary, `gridcast-ssh-${pid}-abcdef`);
  mkdirSync(folder);
  return folder;
}

test('folders of dead processes go, those of living ones and those where somebody answers stay', async () => {
  const [dead, living, answering] = [folderOf(deadPid()), folderOf(process.ppid), folderOf(deadPid())];
  const server = createServer().listen(join(answering, SOCKET_NAME));
  await new Promise((listening) => server.once('listening', listening));
  const own = await makeSocketFolder();
  expect([dead, living, answering, own].map((folder) => existsSync(folder))).toEqual([false, true, true, true]);
  await new Promise((closed) => server.close(closed));
  await makeSocketFolder();
  expect([answering, own].map((folder) => existsSync(folder))).toEqual([false, true]);
});
