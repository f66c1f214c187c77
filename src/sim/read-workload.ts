import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CsvError, type Info, parse } from 'csv-parse';
import type { NamedRow } from './accounting-csv.ts';
import { columnKey, NamedColumnsReader } from './named-columns.ts';
import { SwfParser } from './swf.ts';
import type { Workload } from './workload.ts';
import { WorkloadError } from './workload-error.ts';

const CHUNK_BYTES = 1 << 18;
const LONGEST_ROW_BYTES = 1 << 20;

/** The formats that logs come in: the archive's, `sacct -P` (or `-p`), and CSV with named columns. */
export type LogFormat = 'swf' | 'sacct' | 'csv';

/**
 * Streams a log, plain or gzip, into memory. Compression and format are recognised by how the file begins, not by its
 * name. Each job has a number of its own, see `Workload.numberApart`.
 * @throws WorkloadError for a missing, truncated, binary or malformed file, or a job out of all bounds
 */
export async function readWorkload(path: string): Promise<Workload> {
  const source = path.split(/[\\/]/).at(-1) ?? path;
  try {
    const isGzip = await beginsWith(path, [0x1f, 0x8b]);
    const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    const plain = isGzip ? createGunzip({ chunkSize: CHUNK_BYTES }) : new PassThrough();
    const workload = await pipeline(bytes, plain, (chunks: AsyncIterable<Uint8Array>) => readLogBytes(chunks, source));
    assertWithinLifetime(workload, source);
    workload.numberApart();
    return workload;
  } catch (error) {
    throw error instanceof WorkloadError ? error : new WorkloadError(source, null, explain(error));
  }
}

/**
 * Reads a decompressed log, whatever its format.
 * @param wanted any unless given
 * @throws WorkloadError for a binary or malformed one, or one of another format than the one wanted
 */
export async function readLogBytes(
  stream: AsyncIterable<Uint8Array>,
  source: string,
  wanted: LogFormat | null = null,
): Promise<Workload> {
  const chunks = stream[Symbol.asyncIterator]();
  const first = await chunks.next();
  const begin = withoutByteOrderMark(first.done ? new Uint8Array(0) : first.value);
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => chunks };
  const format = recognise(begin, source);
  if (wanted !== null && format !== wanted) throw new WorkloadError(source, 1, `this is ${format}, not ${wanted}`);
  if (format === 'swf') {
    const parser = new SwfParser(source);
    parser.push(begin);
    for await (const chunk of rest) parser.push(chunk);
    return parser.finish();
  }
  const table = parse({
    columns: (names: string[]) => names.map(columnKey),
    delimiter: format === 'sacct' ? '|' : ',',
    info: true,
    max_record_size: LONGEST_ROW_BYTES,
    quote: format === 'sacct' ? null : '"',
    relax_column_count_more: format === 'sacct',
    skip_empty_lines: true,
  });
  try {
    return await pipeline(whole(begin, rest), table, (rows: AsyncIterable<TableRow>) => {
      return readTable(rows, begin, format, source);
    });
  } catch (error) {
    throw error instanceof CsvError ? new WorkloadError(source, null, `no table: ${error.message}`) : error;
  }
}

/** What csv-parse makes of a line. */
interface TableRow {
  readonly record: NamedRow;
  readonly info: Info;
}

async function readTable(
  rows: AsyncIterable<TableRow>,
  begin: Uint8Array,
  format: LogFormat,
  source: string,
): Promise<Workload> {
  const [names = ''] = new TextDecoder().decode(begin).trimStart().split(/\r?\n/, 1);
  const reader = new NamedColumnsReader(source, names.split(format === 'sacct' ? '|' : ','));
  for await (const { record, info } of rows) reader.add(record, info.lines);
  return reader.finish();
}

async function* whole(begin: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield begin;
  yield* rest;
}

/** One moment far away would make whoever follows the site through its time follow it for ever. */
function assertWithinLifetime({ length, columns }: Workload, source: string): void {
  const { id, submitAt, waitSeconds, runSeconds } = columns;
  const beginsAt = submitAt[0] as number;
  for (let index = 0; index < length; index++) {
    const lastsSeconds = Math.max(0, waitSeconds[index] as number) + Math.max(0, runSeconds[index] as number);
    const years = ((submitAt[index] as number) + lastsSeconds - beginsAt) / YEAR_SECONDS;
    if (years <= MOST_YEARS) continue;
    const what = `job ${id[index]} ends ${Math.round(years)} years after the first one was submitted`;
    throw new WorkloadError(source, null, `${what}, at most ${MOST_YEARS} are read; correct it or leave it out`);
  }
}

const YEAR_SECONDS = 365.25 * 86_400;
const MOST_YEARS = 50;

/** As some editors write a text. */
function withoutByteOrderMark(begin: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.every((byte, i) => begin[i] === byte) ? begin.subarray(BYTE_ORDER_MARK.length) : begin;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The format of a log by its first line. */
function recognise(begin: Uint8Array, source: string): LogFormat {
  if (begin.length === 0) throw new WorkloadError(source, null, 'the file is empty');
  if (begin.subarray(0, 512).includes(0)) throw new WorkloadError(source, 1, 'this is a binary file, not a log');
  const [line = ''] = new TextDecoder().decode(begin.subarray(0, 4096)).trimStart().split(/\r?\n/, 1);
  if (/^[A-Za-z]\w*\|/.test(line)) return 'sacct';
  return /^"?[A-Za-z][\w ]*"?,/.test(line) ? 'csv' : 'swf';
}

async function beginsWith(path: string, magic: readonly number[]): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return bytesRead === magic.length && magic.every((byte, index) => buffer[index] === byte);
  } finally {
    await file.close();
  }
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'this is a folder, not a log';
  if (code === 'Z_BUF_ERROR') return 'the gzip data ends too early; the file is truncated, fetch it again';
  if (code.startsWith('Z_')) return 'the gzip data is damaged; fetch the file again';
  return error instanceof Error ? error.message : String(error);
}
