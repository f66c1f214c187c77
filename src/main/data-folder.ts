import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a deployment keeps its data, and where it was asked to when that would not do. */
export interface DataFolder {
  readonly path: string;
  readonly insteadOf: string | null;
}

/**
 * The folder itself, unless we are root and a user without privileges cannot reach it: PostgreSQL refuses to run as
 * root and runs as another user then, who cannot enter /root for example. It is a folder in the system's temporary one
 * in that case, the same for the same wish.
 */
export function usableDataFolder(wanted: string, isRoot = process.getuid?.() === 0, temporary = tmpdir()): DataFolder {
  const path = resolve(wanted);
  if (!isRoot || isOpenToOthers(path)) {
    openDataFolder(path, isRoot);
    return { path, insteadOf: null };
  }
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 8);
  const parent = join(temporary, `gridcast-${basename(dirname(path)) || 'root'}-${digest}`);
  openDataFolder(parent, isRoot);
  if (lstatSync(parent).uid !== process.getuid?.()) {
    throw new Error(
      `${parent} belongs to another user; remove it, or set GRIDCAST_DATA to a folder that others may pass`,
    );
  }
  const instead = join(parent, basename(path));
  openDataFolder(instead, isRoot);
  return { path: instead, insteadOf: path };
}

/**
 * Creates a folder for data and closes it: to others altogether, or, for root, to all but passing, for who runs
 * PostgreSQL then.
 */
export function openDataFolder(path: string, isRoot = process.getuid?.() === 0): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, isRoot ? 0o711 : 0o700);
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
