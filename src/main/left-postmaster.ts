import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SOCKET_PORT } from './postgres-socket.ts';
import { entryOf, isOurs } from './process-list.ts';

/** What the postmaster of a data directory wrote down of itself, living or not. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Null where none did, or the last one ended in good order. */
export function readPostmaster(databaseDir: string): Postmaster | null {
  const file = lockFileOf(databaseDir);
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Whether that postmaster lives: another process may have its pid by now, after a power cut for one. */
export function isRunning({ pid }: Postmaster, databaseDir: string): boolean {
  if (!isOurs(entryOf('postgres', pid))) return false;
  const folder = workingFolderOf(pid);
  return folder === null || folder === realpathSync(databaseDir);
}

/**
 * Takes away the locks that a postmaster left which has ended without a word: another process of its user may have its
 * pid, and PostgreSQL would not start then.
 */
export function dropLocksOfEnded(databaseDir: string, socketFolder: string): void {
  const left = readPostmaster(databaseDir);
  if (left && isRunning(left, databaseDir)) return;
  rmSync(lockFileOf(databaseDir), { force: true });
  rmSync(join(socketFolder, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true });
}

/** Null where the system does not tell. */
function workingFolderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function lockFileOf(databaseDir: string): string {
  return join(databaseDir, 'postmaster.pid');
}
