import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliFailure, EXIT } from './failure.ts';

/** The bytes of a file from the command line. @throws CliFailure when it cannot be read */
export function readGivenBytes(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliFailure(`the ${what} "${file}" cannot be read: ${inWords(error, READING)}`, EXIT.usage);
  }
}

/** The text of a file from the command line. @throws CliFailure when it cannot be read */
export function readGiven(file: string, what: string): string {
  return readGivenBytes(file, what).toString('utf8');
}

/** Looks whether a file may be read. @throws CliFailure when it may not */
export function assertReadable(file: string, what: string): void {
  try {
    if (statSync(file).isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new CliFailure(`the ${what} "${file}" cannot be read: ${inWords(error, READING)}`, EXIT.usage);
  }
}

/**
 * Looks whether a file may be written, without making it: before long work whose result goes there.
 * @throws CliFailure when it cannot be written
 */
export function assertWritable(file: string | undefined): void {
  if (file === undefined) return;
  try {
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    accessSync(existing ? file : dirname(file), constants.W_OK);
  } catch (error) {
    throw new CliFailure(`"${file}" cannot be written: ${inWords(error, WRITING)}`, EXIT.usage);
  }
}

function inWords(error: unknown, words: Readonly<Record<string, string>>): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return words[code] ?? COMMON[code] ?? code;
}

const COMMON: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'you have no permission',
  EROFS: 'its disk cannot be written to',
};
const READING = { ENOENT: 'there is no such file' };
const WRITING = { ENOENT: 'its folder does not exist' };
