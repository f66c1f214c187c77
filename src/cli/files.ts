import { isUtf8 } from 'node:buffer';
import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs';
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

/** The text of a file from the command line. @throws CliFailure when it cannot be read, or is not in UTF-8 */
export function readGiven(file: string, what: string): string {
  return textOf(readGivenBytes(file, what), `the ${what} "${file}"`);
}

/**
 * The text that bytes are. Others would be put in place of those that are none.
 * @param what names it in the failure
 * @throws CliFailure with the first byte that is not in UTF-8
 */
export function textOf(bytes: Buffer, what: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const at = firstForeign(bytes);
  const line = bytes.subarray(0, at).filter((byte) => byte === LINE_FEED).length + 1;
  const byte = `0x${(bytes[at] as number).toString(16)}`;
  const remedy = 'convert it, for example by `iconv -f latin1 -t utf-8`';
  throw new CliFailure(`${what} is not in UTF-8: byte ${byte} in line ${line}`, EXIT.usage, remedy);
}

/** The first byte that begins no character of UTF-8. */
function firstForeign(bytes: Buffer): number {
  let good = 0;
  for (let step = 1 << Math.floor(Math.log2(bytes.length)); step >= 1; step >>= 1) {
    if (good + step <= bytes.length && isBegun(bytes.subarray(0, good + step))) good += step;
  }
  let at = good;
  while (at > 0 && !isUtf8(bytes.subarray(0, at))) at--;
  return at;
}

/** Whether bytes are in UTF-8, but for a last character that may be cut. */
function isBegun(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const LINE_FEED = 10;

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
  if (file === '') throw new CliFailure('"" names no file to write to', EXIT.usage);
  try {
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    accessSync(existing ? file : dirname(file), constants.W_OK);
  } catch (error) {
    throw new CliFailure(`"${file}" cannot be written: ${inWords(error, WRITING)}`, EXIT.usage);
  }
}

/**
 * What to throw where writing a file failed that the command line names, such as for want of room; any other error
 * stays what it is.
 */
export function unwritten(file: string, error: unknown): unknown {
  const isOfFile = error instanceof Error && 'syscall' in error;
  return isOfFile ? new CliFailure(`"${file}" cannot be written: ${inWords(error, WRITING)}`, EXIT.caller) : error;
}

/** Writes a text to a file from the command line. @throws CliFailure when it cannot be written */
export function writeGiven(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw unwritten(file, error);
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
const WRITING = {
  ENOENT: 'its folder does not exist',
  ENOSPC: 'its disk is full',
  EDQUOT: 'your share of its disk is used up',
};
