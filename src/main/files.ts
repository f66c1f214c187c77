import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a JSON file in one step, so that a reader or a crash never meets half of it. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(fresh, path);
}

/** The content of a JSON file, null when there is none. @throws Error naming the file when it is damaged */
export function readJsonFile(path: string): unknown {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} is damaged; remove it to start anew`, { cause: error });
  }
}
