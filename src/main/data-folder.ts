import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a deployment keeps its data, and where it was asked to when that would not do. */
export interface DataFolder {
  readonly path: string;
  readonly insteadOf: string | null;
}

/**
 * The folder itself, unless we are root and a user without privileges cannot reach it: PostgreSQL refuses to run as root and runs
 * as another user then, who cannot enter /root for example. It is a folder in the system's temporary one in that case, the same for
 * the same wish.
 */
export function usableDataFolder(wanted: string, isRoot = process.getuid?.() === 0, temporary = tmpdir()): DataFolder {
  const path = resolve(wanted);
  if (!isRoot || isOpenToOthers(path)) {
    mkdirSync(path, { recursive: true });
    return { path, insteadOf: null };
  }
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 8);
  const instead = join(temporary, `gridcast-${basename(dirname(path)) || 'root'}-${digest}`, basename(path));
  mkdirSync(instead, { recursive: true });
  return { path: instead, insteadOf: path };
}

/** True when every existing folder on the way lets others pass. */
function isOpenToOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    // The folder itself is opened when PostgreSQL starts in it; those above are not ours to open.
    if (folder !== path && existsSync(folder) && (statSync(folder).mode & OTHERS_MAY_PASS) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

const OTHERS_MAY_PASS = 0o001;
