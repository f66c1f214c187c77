import { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { StageFailure, type StageFault } from '../../domain/staging.ts';
import { assertAddress, lookUpPublic } from './address-guard.ts';

/** A file that is being read from an address. */
export interface RemoteFile {
  /** Null where its server does not tell. */
  readonly totalBytes: number | null;
  /** What changes with it; null where its server tells nothing of that kind. */
  readonly version: string | null;
  /** Its bytes from the offset on. Must be read to its end or left by `return`. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Reads and writes files at callers' own addresses by HTTP. Nothing of an address but its host is ever told, and no
 * address leads to a private network that the operator has not allowed, nor does any that it redirects to.
 */
export class RemoteFiles {
  private readonly guarded = new Agent({ ...AGENT, connect: { timeout: CONNECT_MILLISECONDS, lookup: lookUpPublic } });
  private readonly open = new Agent({ ...AGENT, connect: { timeout: CONNECT_MILLISECONDS } });

  /** @param allowedHosts hosts, or hosts with ports, that are asked though they are in private networks */
  constructor(private readonly allowedHosts: readonly string[]) {}

  /**
   * Begins to read a file.
   * @throws StageFailure
   */
  async read(address: string, offset: number, signal: AbortSignal): Promise<RemoteFile> {
    const headers = { 'accept-encoding': 'identity', ...(offset > 0 && { range: `bytes=${offset}-` }) };
    const answer = await this.follow(address, headers, signal);
    const { statusCode, body } = answer;
    const version = versionOf(answer.headers);
    const range = rangeOf(answer.headers);
    if (statusCode === 416 && typeof range?.totalBytes === 'number') {
      await body.dump();
      return { totalBytes: range.totalBytes, version, bytes: nothing() };
    }
    if (statusCode !== 200 && statusCode !== 206) return this.refuse(answer);
    if ((textOf(answer.headers, 'content-encoding') ?? 'identity') !== 'identity') return this.refuse(answer);
    if (statusCode === 206 && range?.offset !== offset) return this.refuse(answer);
    const length = Number(textOf(answer.headers, 'content-length') ?? Number.NaN);
    const totalBytes = statusCode === 206 ? (range?.totalBytes ?? null) : Number.isSafeInteger(length) ? length : null;
    const bytes = withFailures(statusCode === 206 ? body : skip(body, offset));
    return { totalBytes, version, bytes };
  }

  /**
   * Puts a whole file to an address.
   * @throws StageFailure; what the body throws
   */
  async write(address: string, body: AsyncIterable<Uint8Array>, bytes: number, signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const told = (async function* () {
      try {
        yield* body;
      } catch (error) {
        failures.push(error);
        throw error;
      }
    })();
    const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' };
    const options = {
      method: 'PUT',
      headers,
      signal,
      body: Readable.from(told, { objectMode: false }),
      ...TIMES_OF_PUT,
    } as const;
    try {
      const answer = await request(address, { ...options, dispatcher: this.dispatcherFor(new URL(address)) });
      if (answer.statusCode < 200 || answer.statusCode > 299) return await this.refuse(answer, 'SOURCE_FAULT');
      await answer.body.dump();
    } catch (error) {
      throw failures[0] ?? asFailure(error);
    }
  }

  /** Breaks whatever is under way. */
  async close(): Promise<void> {
    await Promise.all([this.guarded.destroy(), this.open.destroy()]);
  }

  private async follow(address: string, headers: Record<string, string>, signal: AbortSignal) {
    let url = new URL(address);
    for (let hops = 0; ; hops++) {
      const dispatcher = this.dispatcherFor(url);
      const answer = await request(url, { method: 'GET', headers, signal, dispatcher, ...TIMES }).catch((error) => {
        throw asFailure(error);
      });
      const target = textOf(answer.headers, 'location');
      if (!REDIRECTS.has(answer.statusCode) || target === undefined) return answer;
      if (hops === MOST_HOPS || !URL.canParse(target, url.href)) return this.refuse(answer);
      await answer.body.dump();
      const next = new URL(target, url);
      if (url.protocol === 'https:' && next.protocol === 'http:') throw new StageFailure('ADDRESS_REFUSED', true);
      url = next;
    }
  }

  private dispatcherFor(url: URL): Dispatcher {
    return assertAddress(url, this.allowedHosts) ? this.guarded : this.open;
  }

  /** @throws StageFailure by what the server said */
  private async refuse(
    { statusCode: httpStatus, body }: Dispatcher.ResponseData,
    whereNone: StageFault = 'NOT_FOUND',
  ): Promise<never> {
    await body.dump().catch(() => undefined);
    if (httpStatus === 404 || httpStatus === 410) throw new StageFailure(whereNone, true, { httpStatus });
    if (httpStatus === 401 || httpStatus === 403) throw new StageFailure('DENIED', true, { httpStatus });
    throw new StageFailure('SOURCE_FAULT', httpStatus < 500 && !MAY_PASS.has(httpStatus), { httpStatus });
  }
}

type Headers = Dispatcher.ResponseData['headers'];

function textOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function versionOf(headers: Headers): string | null {
  const version = textOf(headers, 'etag') ?? textOf(headers, 'last-modified') ?? null;
  return version === null ? null : version.replace(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_VERSION);
}

function rangeOf(headers: Headers): { offset: number | null; totalBytes: number | null } | null {
  const told = /^bytes (?:(\d{1,15})-\d{1,15}|\*)\/(\d{1,15}|\*)$/.exec(textOf(headers, 'content-range') ?? '');
  if (!told) return null;
  const [, offset, total] = told;
  return { offset: offset === undefined ? null : Number(offset), totalBytes: total === '*' ? null : Number(total) };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A server that knows no ranges sends all of it again. */
async function* skip(body: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const piece of body) {
    if (piece.length > left) yield left === 0 ? piece : piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

async function* withFailures(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw asFailure(error);
  }
}

/** Whatever went wrong on the way, without a word of where to. */
function asFailure(error: unknown): StageFailure {
  if (error instanceof StageFailure) return error;
  const { cause } = error as { cause?: unknown };
  if (cause instanceof StageFailure) return cause;
  return new StageFailure('SOURCE_FAULT', false, { cause: codeOf(error) ?? codeOf(cause) });
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

const CONNECT_MILLISECONDS = 10_000;
const TIMES = { headersTimeout: 30_000, bodyTimeout: 30_000 };
/** The time without a byte being sent counts, too, and the site gives them at its own pace. */
const TIMES_OF_PUT = { ...TIMES, headersTimeout: 150_000 };
const AGENT = { keepAliveTimeout: 1000, pipelining: 1, maxHeaderSize: 32_768 };
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Below 500; all from there on may. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);
const MOST_HOPS = 5;
const LONGEST_VERSION = 200;
