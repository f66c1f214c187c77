import { chmodSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/**
 * Replaces a file that nobody but its owner may read, in one step, so that a reader or a crash never meets half of it.
 */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}`;
  try {
    writeFileSync(fresh, text, { mode: 0o600 });
    chmodSync(fresh, 0o600);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Replaces a JSON file in one step; see `writePrivateFile`. */
export function writeJsonFile(path: string, value: unknown): void {
  writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Opens a log to be written on at its end, which nobody but its owner may read; whoever opens it closes it. */
export function openPrivateLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const log = openSync(path, 'a', 0o600);
  chmodSync(path, 0o600);
  return log;
}

/**
 * The content of a JSON file, null when there is no such file.
 * @throws Error naming the file when it cannot be read, or is damaged: holds no JSON, or not what the schema asks for
 */
export function readJsonFile<Content>(path: string, schema: z.ZodType<Content>): Content | null {
  const text = readText(path);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path} is damaged; remove it to start anew`, { cause: error });
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
