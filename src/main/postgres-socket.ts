import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServerUser } from './postgres-programs.ts';

/** PostgreSQL names its socket after a port; each folder has one server, so it is always the same. */
export const SOCKET_PORT = 5432;

/** What an address of a socket may hold on every system we know, in bytes. */
const LONGEST_SOCKET_BYTES = 100;

/**
 * The folder of the socket of the server in a data folder: in it, or, when its path is too long for a socket, a
 * temporary one.
 */
export function socketFolderOf(folder: string, temporary = tmpdir()): string {
  const inside = join(resolve(folder), 'socket');
  if (Buffer.byteLength(join(inside, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_SOCKET_BYTES) return inside;
  const digest = createHash('sha256').update(inside).digest('hex').slice(0, 12);
  return join(temporary, `gridcast-socket-${digest}`);
}

/**
 * Creates the folder for the user that runs the server, closed to everybody else.
 * @throws Error when somebody else made it before us
 */
export function openSocketFolder(socketFolder: string, user: ServerUser | undefined): void {
  const isNew = mkdirSync(socketFolder, { recursive: true, mode: 0o700 }) !== undefined;
  if (isNew && user) chownSync(socketFolder, user.uid, user.gid);
  const owner = user?.uid ?? process.getuid?.();
  const { uid, mode } = lstatSync(socketFolder);
  if (uid === owner && (mode & 0o077) === 0 && lstatSync(socketFolder).isDirectory()) return;
  throw new Error(
    `${socketFolder}, where the socket of PostgreSQL is to be, is not a folder that only uid ${owner} may enter; remove it`,
  );
}
