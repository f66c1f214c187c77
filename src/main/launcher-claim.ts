import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './files.ts';
import { isNotedIn, isOurs, type NotedProcess, notedProcessSchema, noteIn, type ProcessEntry } from './process-list.ts';

/**
 * Makes a process the only launcher of a folder, also when several want to be it at once. What one claimed that has
 * ended since is taken over, and what came with a copy of the folder of another.
 * @throws Error when another one runs there, or the claim in the folder is damaged
 */
export function claimFolder(folder: string, launcher: ProcessEntry): void {
  const claimFile = claimFileOf(folder);
  const mine = `${claimFile}.${launcher.pid}.claim`;
  mkdirSync(folder, { recursive: true });
  writeJsonFile(mine, noteIn(folder, launcher));
  try {
    for (let attempts = 1; !link(mine, claimFile); attempts++) {
      if (attempts > MOST_ATTEMPTS) throw new Error(`${claimFile} cannot be replaced; remove it to start anew`);
      const holder = readClaim(claimFile);
      if (holder && isThere(folder, holder) && holder.pid !== launcher.pid) throw runsAlready(folder, holder);
      if (holder) takeAway(folder, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Gives a folder back to whoever wants it next. */
export function giveUpFolder(folder: string): void {
  rmSync(claimFileOf(folder), { force: true });
}

/** The living launcher of a folder; null where there is none. */
export function launcherOf(folder: string): ProcessEntry | null {
  const holder = readClaim(claimFileOf(folder));
  return holder && isThere(folder, holder) ? holder : null;
}

/** What whoever wants a folder is told in which another launcher runs. */
export function runsAlready(folder: string, { pid }: ProcessEntry): Error {
  return new Error(`process ${pid} runs in ${folder} already; stop it first or choose another folder`);
}

function claimFileOf(folder: string): string {
  return join(folder, 'launcher.json');
}

function readClaim(file: string): NotedProcess | null {
  return readJsonFile(file, notedProcessSchema);
}

function isThere(folder: string, holder: NotedProcess): boolean {
  return isNotedIn(folder, holder) && isOurs(holder);
}

/** Links a file to a name in one step. @returns false where there is one of that name already */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Takes away what one claimed that has ended; what somebody else put there meanwhile is put back. */
function takeAway(folder: string, ended: ProcessEntry): void {
  const claimFile = claimFileOf(folder);
  const aside = `${claimFile}.${process.pid}.ended`;
  try {
    renameSync(claimFile, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readClaim(aside);
  if (taken?.pid !== ended.pid || taken.identity !== ended.identity) link(aside, claimFile);
  rmSync(aside);
}

/** Whoever finds a claim given back meanwhile tries again; a link that leads nowhere is never seen as one. */
const MOST_ATTEMPTS = 100;
