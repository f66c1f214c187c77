import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CannotStart } from './cannot-start.ts';

/** Where a deployment keeps its data, and where it was asked to when that would not do. */
export interface DataFolder {
  readonly path: string;
  readonly insteadOf: string | null;
}

/**
 * The folder itself, unless we are root and a user without privileges cannot reach it: PostgreSQL refuses to run as
 * root and runs as another user then, who cannot enter /root for example. It is a folder in the system's temporary one
 * in that case, the same for the same wish.
 * @param setting what it is chosen by
 * @throws CannotStart when there can be no such folder
 */
export function usableDataFolder(
  wanted: string,
  setting = 'GRIDCAST_DATA',
  isRoot = process.getuid?.() === 0,
  temporary = tmpdir(),
): DataFolder {
  const path = resolve(wanted);
  const notFolder = whyNoFolder(path);
  if (notFolder !== null) throw new CannotStart(`${setting}: ${notFolder}`, `name a folder with ${setting}`);
  if (!isRoot || isOpenToOthers(path)) {
    openDataFolder(path, setting, isRoot);
    return { path, insteadOf: null };
  }
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 8);
  const parent = join(temporary, `gridcast-${basename(dirname(path)) || 'root'}-${digest}`);
  openDataFolder(parent, setting, isRoot);
  if (lstatSync(parent).uid !== process.getuid?.()) {
    throw new Error(
      `${parent} belongs to another user; remove it, or set GRIDCAST_DATA to a folder that others may pass`,
    );
  }
  const instead = join(parent, basename(path));
  openDataFolder(instead, setting, isRoot);
  return { path: instead, insteadOf: path };
}

/**
 * Creates a folder for data and closes it: to others altogether, or, for root, to all but passing, for who runs
 * PostgreSQL then.
 * @param setting what it is chosen by
 * @throws CannotStart when it cannot be
 */
export function openDataFolder(path: string, setting = 'GRIDCAST_DATA', isRoot = process.getuid?.() === 0): void {
  try {
    makeFolder(path);
  } catch (error) {
    const remedy = `make it, as the user who runs this, or name another folder with ${setting}`;
    throw new CannotStart(`${setting}: ${path} cannot be made: ${(error as Error).message}`, remedy, { cause: error });
  }
  try {
    chmodSync(path, isRoot ? 0o711 : 0o700);
  } catch (error) {
    const [owner, user] = [statSync(path).uid, process.getuid?.()];
    const isOurs = owner === user;
    const why = isOurs ? (error as Error).message : `it belongs to user ${owner}, and user ${user} runs this`;
    const remedy = `${isOurs ? '' : `give it to user ${user} with chown, or `}name another folder with ${setting}`;
    throw new CannotStart(`${setting}: ${path} cannot be closed to others: ${why}`, remedy, { cause: error });
  }
}

/** What is in the way of a folder: the file of that name, or one that it would be in; null when nothing is. */
export function whyNoFolder(wanted: string): string | null {
  const path = resolve(wanted);
  const found = nearestOf(path);
  if (statSync(found).isDirectory()) return null;
  return found === path ? `${path} is a file and no folder` : `${path} cannot be a folder, for ${found} is a file`;
}

/** The path itself where something is there, else the nearest folder above it that is. */
function nearestOf(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestOf(dirname(path));
}

/** One by one: where the system lets nobody make any, as below /proc, `recursive` tries for ever. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

/**
 * Takes from others whatever an earlier version let them read in a folder for data. PostgreSQL keeps its own closed,
 * another deployment too.
 */
export function closeToOthers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (PRIVATE_ALREADY.has(entry.name) || !(entry.isFile() || entry.isDirectory())) continue;
    if (existsSync(join(path, 'processes.json'))) continue;
    chmodSync(path, statSync(path).mode & 0o700);
    if (entry.isDirectory()) closeToOthers(path);
  }
}

const PRIVATE_ALREADY = new Set(['postgres', 'socket']);

/** True when every existing folder on the way lets others pass. */
function isOpenToOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    // The folder itself is opened when PostgreSQL starts in it; those above are not ours to open.
    if (folder !== path && existsSync(folder) && (statSync(folder).mode & OTHERS_MAY_PASS) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

const OTHERS_MAY_PASS = 0o001;
