import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import type { Principal } from '../store/principals.ts';
import { DEEPEST_INPUT, MOST_VALUES } from './input/input-bounds.ts';
import { findShapeFault } from './input/json-shape.ts';
import type { ApiOptions } from './options.ts';
import { QUERY_LIMITS } from './query-limits.ts';
import { BodyFault, sendError } from './refused-requests.ts';

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
 * so that whoever sends little has little held. What one tenant has us read at once is bounded; a body that does not
 * say its length counts as the largest.
 */
export function bodies({ limits, logger }: ApiOptions): RequestHandler {
  const work = limits.maxLegs * (limits.maxScriptBytes + limits.maxArgumentBytes) * JSON_OVERHEAD;
  const readers = {
    stranger: reader(ANONYMOUS_BODY_BYTES, STRANGERS_BYTES),
    worker: reader(Math.min(work, limits.maxBodyBytes), LARGEST_AT_ONCE * limits.maxBodyBytes),
    admin: reader(limits.maxBodyBytes, LARGEST_AT_ONCE * limits.maxBodyBytes),
  };
  const inHand = new Map<string, number>();
  return (request, response, next) => {
    const { principal } = response.locals as Locals;
    const { read, largest, most } = readers[!principal ? 'stranger' : principal.role === 'ADMIN' ? 'admin' : 'worker'];
    const who = principal?.tenantId ?? '';
    const bytes = lengthOf(request, largest);
    const held = inHand.get(who) ?? 0;
    if (held + bytes > most) {
      response.setHeader('retry-after', '1');
      const whose = principal ? "your tenant's requests" : 'requests without a token';
      const message = `${held} bytes of ${whose} are being read, at most ${most} may be; send it again`;
      return sendError(logger, response, 429, 'BUSY', message);
    }
    inHand.set(who, held + bytes);
    read(request, response, (error?: unknown) => {
      const left = (inHand.get(who) ?? 0) - bytes;
      if (left > 0) inHand.set(who, left);
      else inHand.delete(who);
      // What is no JSON is left to Apollo, which answers that the content type is wrong.
      request.body ??= {};
      next(error ?? queryFault(request.body));
    });
  };
}

function reader(largest: number, most: number) {
  return { read: express.json({ limit: largest, inflate: false, verify: verifyShape }), largest, most };
}

/** What a body may come to. One that says that it is larger than any may be is refused before it is read. */
function lengthOf(request: Request, largest: number): number {
  const length = Number(request.get('content-length') ?? Number.NaN);
  if (length > largest) return 0;
  if (length >= 0) return length;
  return request.get('transfer-encoding') === undefined ? 0 : largest;
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
