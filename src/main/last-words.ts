import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * The last lines of a log that were written since it had so many bytes, by a process that was started then; what those
 * before it said is not among them. The log may have been rotated since, see `rotateLog`.
 */
export function lastWords(file: string, sinceBytes: number): string {
  try {
    const { text, isShorter } = readFrom(file, sinceBytes);
    const before = isShorter && existsSync(`${file}.1`) ? readFrom(`${file}.1`, sinceBytes).text : '';
    const said = `${before}${text}`.trimEnd();
    return said === '' ? 'it said nothing' : said.split('\n').slice(-MOST_LINES).join('\n');
  } catch (error) {
    return `its log cannot be read: ${(error as Error).message}`;
  }
}

/** The end of a file from an offset on; all of one that is shorter, for it was emptied since. */
function readFrom(file: string, offset: number): { readonly text: string; readonly isShorter: boolean } {
  const log = openSync(file, 'r');
  try {
    const { size } = fstatSync(log);
    const isShorter = size < offset;
    const from = Math.max(isShorter ? 0 : offset, size - MOST_BYTES);
    const piece = Buffer.alloc(size - from);
    return { text: piece.toString('utf8', 0, readSync(log, piece, 0, piece.length, from)), isShorter };
  } finally {
    closeSync(log);
  }
}

const MOST_LINES = 15;
const MOST_BYTES = 1 << 16;
