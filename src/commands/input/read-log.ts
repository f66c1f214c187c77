import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { formatExactSeconds } from '../../domain/duration.ts';
import { CallerError } from '../../domain/failures.ts';
import { type LogFormat, readLogBytes } from '../../sim/read-workload.ts';
import type { Workload } from '../../sim/workload.ts';
import { WorkloadError } from '../../sim/workload-error.ts';

/** How much work a log may be. */
export interface LogLimits {
  /** Of the log when it is unpacked. */
  readonly maxBytes: number;
  readonly maxMilliseconds: number;
}

/**
 * Reads a log out of a request: as text, or gzip in base64, told apart by how they begin, as are the formats. Gives way
 * to other requests as it goes along.
 * @param field the input field, for the errors
 * @param format the one that it must be of; null for any
 * @throws CallerError INVALID with the line where the log is truncated, damaged, too large or too slow to read, or of
 * no format or another
 */
export async function readLog(
  content: string,
  field: string,
  limits: LogLimits,
  format: LogFormat | null = null,
): Promise<Workload> {
  const begunAt = performance.now();
  const seen = { bytes: 0, lines: 0 };
  async function* bounded(): AsyncIterable<Uint8Array> {
    for await (const chunk of unpack(content)) {
      seen.bytes += chunk.length;
      const milliseconds = performance.now() - begunAt;
      const fault = faultOfSize({ bytes: seen.bytes, milliseconds, packedBytes: content.length }, limits);
      if (fault) throw new CallerError('INVALID', field, fault);
      yield chunk;
      seen.lines += countLines(chunk);
    }
  }
  try {
    return await readLogBytes(bounded(), 'the log', format);
  } catch (error) {
    throw asCallerError(error, field, seen.lines);
  }
}

/** What is too much about what was unpacked so far, null while nothing is. */
function faultOfSize(
  { bytes, milliseconds, packedBytes }: { bytes: number; milliseconds: number; packedBytes: number },
  { maxBytes, maxMilliseconds }: LogLimits,
): string | null {
  if (bytes > maxBytes) return `the log is larger than ${maxBytes} bytes; split it`;
  if (bytes > UNSUSPICIOUS_BYTES && bytes > MOST_TIMES_PACKED * packedBytes) {
    return `the log is more than ${MOST_TIMES_PACKED} times larger than its gzip data, which no log of jobs is`;
  }
  if (milliseconds > maxMilliseconds)
    return `the log takes more than ${formatExactSeconds(maxMilliseconds / 1000)} to read; split it`;
  return null;
}

async function* unpack(content: string): AsyncIterable<Uint8Array> {
  const isGzip = content.startsWith(GZIP_IN_BASE64);
  const packed = Buffer.from(content, isGzip ? 'base64' : 'utf8');
  if (isGzip) {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    gunzip.end(packed);
    yield* gunzip;
    return;
  }
  for (let from = 0; from < packed.length; from += CHUNK_BYTES) {
    yield packed.subarray(from, from + CHUNK_BYTES);
    await setImmediate();
  }
}

function countLines(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

function asCallerError(error: unknown, field: string, lines: number): unknown {
  if (error instanceof WorkloadError) return new CallerError('INVALID', field, error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') {
    const message = `the gzip data ends too early, in line ${lines + 1} of the log; the file is truncated, fetch it again`;
    return new CallerError('INVALID', field, message);
  }
  if (code.startsWith('Z_')) {
    const message = `the gzip data is damaged, at or after line ${lines + 1} of the log; fetch the file again`;
    return new CallerError('INVALID', field, message);
  }
  return error;
}

/** The first bytes of every gzip file, 1f 8b 08, in base64. */
const GZIP_IN_BASE64 = 'H4sI';
const CHUNK_BYTES = 1 << 18;
const NEWLINE = 10;
/** Logs of the archive are 4 to 12 times larger than their gzip data. */
const MOST_TIMES_PACKED = 50;
const UNSUSPICIOUS_BYTES = 16 << 20;
