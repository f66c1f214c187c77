import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_PORT } from './postgres-socket.ts';
import { isAlive } from './process-list.ts';

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
  if (!isAlive(pid)) return false;
  const folder = workingFolderOf(pid);
  return folder === null || folder === realpathSync(databaseDir);
}

/**
 * Takes away the locks that a postmaster left which has ended without a word: PostgreSQL does not start beside a pid
 * that any process of its user has by now. What the postmaster started is waited for, as it may still write; where that
 * goes on, or cannot be seen, the locks stay.
 */
export async function dropLocksOfEnded(databaseDir: string, socketFolder: string): Promise<void> {
  if (readPostmaster(databaseDir) === null || workingFolderOf(process.pid) === null) return;
  for (let waited = 0; isWorkedIn(databaseDir); waited += LOOK_MILLISECONDS) {
    if (waited > PATIENCE_MILLISECONDS) return;
    await sleep(LOOK_MILLISECONDS);
  }
  rmSync(lockFileOf(databaseDir), { force: true });
  rmSync(join(socketFolder, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true });
}

/** Whether any process works in a data directory: every one of a server does. */
function isWorkedIn(databaseDir: string): boolean {
  const folder = realpathSync(databaseDir);
  return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && workingFolderOf(Number(pid)) === folder);
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

const LOOK_MILLISECONDS = 50;
const PATIENCE_MILLISECONDS = 15_000;
