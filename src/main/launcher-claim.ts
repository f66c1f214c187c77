import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './files.ts';
import { isOurs, type ProcessEntry, processEntrySchema } from './process-list.ts';

/**
 * Makes a process the only launcher of a folder, also when several want to be it at once. What one claimed that has
 * ended since is taken over.
 * @throws Error when another one runs there
 */
export function claimFolder(folder: string, launcher: ProcessEntry): void {
  const claimFile = claimFileOf(folder);
  const mine = `${claimFile}.${launcher.pid}.claim`;
  mkdirSync(folder, { recursive: true });
  writeJsonFile(mine, launcher);
  try {
    while (!link(mine, claimFile)) {
      const holder = launcherOf(folder);
      if (holder && isOurs(holder) && holder.pid !== launcher.pid) throw runsAlready(folder, holder);
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

/** Who claimed a folder last, living or not; null when nobody has since it was given back. */
export function launcherOf(folder: string): ProcessEntry | null {
  return entryIn(claimFileOf(folder));
}

/** What whoever wants a folder is told in which another launcher runs. */
export function runsAlready(folder: string, { pid }: ProcessEntry): Error {
  return new Error(`process ${pid} runs in ${folder} already; stop it first or choose another folder`);
}

function claimFileOf(folder: string): string {
  return join(folder, 'launcher.json');
}

function entryIn(file: string): ProcessEntry | null {
  const content = readJsonFile(file);
  return content === null ? null : processEntrySchema.parse(content);
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
  const taken = entryIn(aside);
  if (taken?.pid !== ended.pid || taken.identity !== ended.identity) link(aside, claimFile);
  rmSync(aside);
}
