import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isRunning, ownIdentity } from './daemons.ts';
import type { LabSpec } from './lab.ts';

/**
 * Where every lab of this machine lives. Short, because names of sockets are; open, because the lab's users must get
 * in.
 */
const ROOT = '/tmp/gridcast-lab';

/** Below the range from which the kernel takes ports for outgoing connections. */
const FIRST_PORT = 17_500;
const LAST_PORT = 19_999;
export const PORTS_PER_LAB = 100;

/** What a lab's folder says of it. */
interface LabFile {
  readonly spec: LabSpec;
  /** The process that will stop the lab; null for one that stays until it is told to stop. */
  readonly owner: { readonly pid: number; readonly startTicks: string } | null;
}

/** A lab's folder and the first of the ports that are its own. */
export interface ClaimedFolder {
  readonly folder: string;
  readonly basePort: number;
}

/**
 * Takes a folder and a block of free ports for a new lab. Two labs never share one: the folder is called after its
 * ports, and to make it is to own them.
 */
export async function claimFolder(spec: LabSpec, stays: boolean): Promise<ClaimedFolder> {
  mkdirSync(ROOT, { recursive: true, mode: 0o755 });
  for (let basePort = FIRST_PORT; basePort + PORTS_PER_LAB <= LAST_PORT + 1; basePort += PORTS_PER_LAB) {
    const folder = join(ROOT, String(basePort));
    if (!makeFolder(folder)) continue;
    if (await areFree(basePort)) {
      const file: LabFile = { spec, owner: stays ? null : ownIdentity() };
      writeFileSync(labFile(folder), JSON.stringify(file));
      return { folder, basePort };
    }
    rmSync(folder, { recursive: true });
  }
  throw new Error(`no free ports between ${FIRST_PORT} and ${LAST_PORT}; \`npm run lab -- status\` lists the labs`);
}

/** The labs of this machine. `abandoned`: their owner has died. */
export function listLabFolders(): (ClaimedFolder & LabFile & { readonly abandoned: boolean })[] {
  if (!existsSync(ROOT)) return [];
  return readdirSync(ROOT, { withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const folder = join(ROOT, name);
      const file = readLabFile(folder);
      if (!file) return [];
      return [{ folder, basePort: Number(name), ...file, abandoned: file.owner !== null && !isRunning(file.owner) }];
    });
}

/** Makes the caller the only one who stops an abandoned lab; false when somebody else already does. */
export function takeOver(folder: string): boolean {
  try {
    renameSync(labFile(folder), `${labFile(folder)}.taken`);
    return true;
  } catch {
    return false;
  }
}

/** Gives folder and ports back. */
export function releaseFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function labFile(folder: string): string {
  return join(folder, 'lab.json');
}

function readLabFile(folder: string): LabFile | null {
  try {
    return JSON.parse(readFileSync(labFile(folder), 'utf8')) as LabFile;
  } catch {
    return null;
  }
}

function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function areFree(basePort: number): Promise<boolean> {
  for (let port = basePort; port < basePort + PORTS_PER_LAB; port++) {
    if (!(await isFree(port))) return false;
  }
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
