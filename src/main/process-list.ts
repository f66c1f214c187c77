import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './files.ts';

const processEntrySchema = z.object({
  name: z.string(),
  pid: z.int().positive(),
  /** What tells this process from a later one of the same pid. */
  identity: z.string(),
});

/** A process of a deployment as it is written down for whoever has to take over. */
export type ProcessEntry = z.infer<typeof processEntrySchema>;

/** How a process is written down in a folder. */
export const notedProcessSchema = processEntrySchema.extend({
  /** The folder as `identifyFolder` tells it; absent in what earlier versions wrote. */
  folder: z.string().optional(),
});

/** A process as it is written down in a folder. */
export type NotedProcess = z.infer<typeof notedProcessSchema>;

const PATIENCE_MILLISECONDS = 8000;

/** The processes written down in a file, none when there is no file, or it is one of a folder that was copied. */
export function readProcessList(file: string): ProcessEntry[] {
  const noted = readJsonFile(file, z.array(notedProcessSchema)) ?? [];
  return noted.filter((one) => isNotedIn(dirname(file), one)).map(({ folder: _folder, ...entry }) => entry);
}

export function writeProcessList(file: string, entries: readonly ProcessEntry[]): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  writeJsonFile(
    file,
    entries.map((entry) => noteIn(folder, entry)),
  );
}

/** A process as it is written down in a folder that is there. */
export function noteIn(folder: string, entry: ProcessEntry): NotedProcess {
  return { ...entry, folder: identifyFolder(folder) };
}

/** Whether it was written down in this very folder. What came there with a copy is about the processes of another. */
export function isNotedIn(folder: string, noted: NotedProcess): boolean {
  return noted.folder === undefined || noted.folder === identifyFolder(folder);
}

/** What tells a folder from its copies, and stays when it is moved or mounted elsewhere. */
function identifyFolder(folder: string): string {
  const { dev, ino } = statSync(folder);
  return `${dev}:${ino}`;
}

/** Writes a living process down. */
export function entryOf(name: string, pid: number): ProcessEntry {
  return { name, pid, identity: identify(pid) ?? '' };
}

/** True while that very process lives, not another one that has got its pid. */
export function isOurs({ pid, identity }: ProcessEntry): boolean {
  const present = identify(pid);
  return present !== null && identity !== '' && present === identity;
}

/** Whether a process of that pid lives. */
export function isAlive(pid: number): boolean {
  return identify(pid) !== null;
}

/**
 * Asks the processes that are still ours to end, and makes them after a while. Returns the names of those that lived.
 */
export async function stopProcesses(entries: readonly ProcessEntry[]): Promise<string[]> {
  const left = entries.filter(isOurs);
  for (const { pid } of left) signal(pid, 'SIGTERM');
  const patientUntil = performance.now() + PATIENCE_MILLISECONDS;
  while (left.some(isOurs) && performance.now() < patientUntil) await new Promise((done) => setTimeout(done, 50));
  for (const entry of left.filter(isOurs)) signal(entry.pid, 'SIGKILL');
  while (left.some(isOurs)) await new Promise((done) => setTimeout(done, 20));
  return left.map(({ name }) => name);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * A pid's process by its moment of start, null when there is none. A zombie has ended. Its command would tell no more,
 * and is not there yet right after a spawn.
 */
function identify(pid: number): string | null {
  return process.platform === 'linux' ? identifyByProc(pid) : identifyByPs(pid);
}

function identifyByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fields[19]}`;
  } catch {
    return null;
  }
}

function identifyByPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
