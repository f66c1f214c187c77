import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { formatSeconds } from '../domain/duration.ts';
import type { Principal } from '../store/principals.ts';
import { BodyRoom, leaveBody, watchBody } from './body-watch.ts';
import { DEEPEST_INPUT, MOST_VALUES } from './input/input-bounds.ts';
import { findShapeFault } from './input/json-shape.ts';
import type { ApiOptions } from './options.ts';
import { QUERY_LIMITS } from './query-limits.ts';
import { BodyFault, sendError, tooLarge } from './refused-requests.ts';

/** A body that takes more looks than that would take longer than Node.js has a request take: five minutes. */
const MOST_LOOKS = 30;
/** Of a body that does not say its length, between two looks. */
const LEAST_CHUNKED_BYTES = 1024;

/** What the handlers of one request hand on. */
export interface Locals {
  requestId: string;
  principal: Principal | null;
}

/** Bodies of callers without a token: enough to ask whether anybody is there. */
const ANONYMOUS_BODY_BYTES = 16 << 10;
/** Of all of them together, while they are read. */
const STRANGERS_BYTES = 16 << 20;
/** Bodies of a tenant while they are read, as a multiple of the largest that there may be. */
const LARGEST_AT_ONCE = 2;

/**
 * Reads the body, as large as the caller's role has use for: histories are imported by admins only. None is compressed,
 * so that whoever sends little has little held. What one tenant has us read at once is bounded: a body that says its
 * length takes so much from its beginning, another one what has come of it. One that is too large is refused as soon as
 * that shows, and one that drips, or of which nothing comes any more, is given up.
 */
export function bodies({ limits, logger }: ApiOptions): RequestHandler {
  const work = limits.maxLegs * (limits.maxScriptBytes + limits.maxArgumentBytes) * JSON_OVERHEAD;
  const readers = {
    stranger: reader(ANONYMOUS_BODY_BYTES, STRANGERS_BYTES),
    worker: reader(Math.min(work, limits.maxBodyBytes), LARGEST_AT_ONCE * limits.maxBodyBytes),
    admin: reader(limits.maxBodyBytes, LARGEST_AT_ONCE * limits.maxBodyBytes),
  };
  const room = new BodyRoom();
  return (request, response, next) => {
    const { principal } = response.locals as Locals;
    const kind = readers[!principal ? 'stranger' : principal.role === 'ADMIN' ? 'admin' : 'worker'];
    const body = new BodyInHand(request, response, logger, room, kind);
    if (!body.grow(lengthOf(request))) return;
    body.watch(limits.bodyPaceMilliseconds);
    kind.read(request, response, (error?: unknown) => {
      if (!body.end()) return;
      // What is no JSON is left to Apollo, which answers that the content type is wrong.
      request.body ??= {};
      next(error ?? queryFault(request.body));
    });
  };
}

/** A body from its beginning to its end or to its refusal. */
class BodyInHand {
  readonly #who: string;
  #bytes = 0;
  #isOver = false;
  #endWatch = (): void => undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    private readonly logger: Logger,
    private readonly room: BodyRoom,
    private readonly bounds: Bounds,
  ) {
    this.#who = (response.locals as Locals).principal?.tenantId ?? '';
  }

  /** Has it take so much room; false when it may not and was refused. */
  grow(bytes: number): boolean {
    if (bytes <= this.#bytes) return true;
    const { largest, most } = this.bounds;
    if (bytes > largest) return this.#refuse(413, 'BODY_TOO_LARGE', tooLarge(largest));
    const taken = this.room.takenBy(this.#who);
    if (taken + bytes - this.#bytes > most) {
      this.response.setHeader('retry-after', '1');
      const whose = this.#who === '' ? 'requests without a token' : "your tenant's requests";
      const message = `${taken} bytes of ${whose} are being read, at most ${most} may be; send it again`;
      return this.#refuse(429, 'BUSY', message);
    }
    this.room.take(this.#who, bytes - this.#bytes);
    this.#bytes = bytes;
    return true;
  }

  watch(milliseconds: number): void {
    const leastBytes = Math.ceil(lengthOf(this.request) / MOST_LOOKS) || LEAST_CHUNKED_BYTES;
    const message = `less than ${leastBytes} bytes of the body came in ${formatSeconds(milliseconds / 1000)}; send it again`;
    this.#endWatch = watchBody(
      this.request,
      { leastBytes, milliseconds },
      {
        onGrown: (bytes) => void this.grow(bytes),
        onDrip: () => void this.#refuse(408, 'BAD_REQUEST', message),
      },
    );
  }

  /** Gives its room back; false when it was over before. */
  end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#endWatch();
    this.room.giveBack(this.#who, this.#bytes);
    return true;
  }

  #refuse(status: number, code: string, message: string): false {
    if (!this.end()) return false;
    leaveBody(this.request);
    sendError(this.logger, this.response, status, code, message);
    return false;
  }
}

interface Bounds {
  /** Bytes of one body. */
  readonly largest: number;
  /** Bytes of all bodies of a tenant at once. */
  readonly most: number;
}

function reader(largest: number, most: number) {
  return { read: express.json({ limit: largest, inflate: false, verify: verifyShape }), largest, most };
}

/** What a body says that it will come to; 0 of one that does not say it. */
function lengthOf(request: Request): number {
  const length = Number(request.get('content-length') ?? Number.NaN);
  return length >= 0 ? length : 0;
}

/** Refuses a body by its shape before it is parsed, so that nobody's lists keep the process from the others. */
function verifyShape(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding.toLowerCase() !== 'utf-8') throw new BodyFault(415, `the body must be JSON in UTF-8, not ${encoding}`);
  if (!isUtf8(body)) throw new BodyFault(400, 'the body is not in UTF-8; convert what is in it, a script for example');
  const fault = findShapeFault(body, MOST_VALUES, DEEPEST_BODY);
  if (fault === 'VALUES') {
    throw new BodyFault(400, `the body holds more than ${MOST_VALUES} values; send shorter lists, or several requests`);
  }
  if (fault === 'DEPTH') throw new BodyFault(400, `the body is nested more than ${DEEPEST_BODY} deep`);
}

/** The request is an object with the variables, which is an object. */
const DEEPEST_BODY = DEEPEST_INPUT + 2;

function queryFault({ query }: { query?: unknown }): BodyFault | undefined {
  const most = QUERY_LIMITS.characters;
  if (typeof query !== 'string' || query.length <= most) return undefined;
  return new BodyFault(
    400,
    `the query has ${query.length} characters, at most ${most}; send what is long as variables`,
  );
}

/** Line ends and quotes of a script take two bytes in JSON. */
const JSON_OVERHEAD = 2;
