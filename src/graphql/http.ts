import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Principal } from '../store/principals.ts';
import { authenticate } from './authenticate.ts';
import type { ChangeHub } from './change-hub.ts';
import { servePages } from './console/pages.ts';
import { serveSignIn } from './console/sign-in.ts';
import { type ApiContext, commandsOf, createContext } from './context.ts';
import { CutOff } from './cut-off.ts';
import { DEEPEST_INPUT, MOST_VALUES } from './input/input-bounds.ts';
import { findShapeFault } from './input/json-shape.ts';
import type { ApiOptions } from './options.ts';
import { QUERY_LIMITS } from './query-limits.ts';
import { BodyFault, lastResort, sendError } from './refused-requests.ts';
import { mayStrangerSend } from './strangers.ts';

const REQUEST_ID_HEADER = 'x-request-id';

/** Bodies of callers without a token: enough to ask whether anybody is there. */
const ANONYMOUS_BODY_BYTES = 16 << 10;

/** What the handlers of one request hand on. */
interface Locals {
  requestId: string;
  principal: Principal | null;
}

/** The HTTP face: request ids, tokens, bodies within limits, and errors that are JSON whatever goes wrong. */
export function createExpressApp(options: ApiOptions): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestIds);
  options.routes?.(app);
  return app;
}

/** Adds /graphql and what comes after all routes. */
export function serveGraphql(
  app: express.Express,
  apollo: ApolloServer<ApiContext>,
  options: ApiOptions,
  changes: ChangeHub,
): void {
  const handle = expressMiddleware(apollo, {
    context: async ({ res }) => contextOf(options, changes, res),
  });
  serveSignIn(app, options);
  app.use(
    '/graphql',
    clockTime(options),
    tokens(options),
    bodies(options),
    strangers(options),
    handle as RequestHandler,
  );
  if (options.consoleFolder !== undefined) servePages(app, options.consoleFolder);
  app.use((_request, response) => {
    sendError(options.logger, response, 404, 'NOT_FOUND', 'there is nothing here; the API is at /graphql');
  });
  app.use(lastResort(options.logger));
}

/** The context of one operation, which is cut off when its caller hangs up. */
function contextOf(options: ApiOptions, changes: ChangeHub, response: Response): ApiContext {
  const { requestId, principal } = response.locals as Locals;
  const cutOff = new CutOff();
  response.once('close', () => cutOff.end());
  const commands = commandsOf(options, requestId, principal, cutOff.signal);
  return createContext({ principal, commands, changes, cutOff, recheck: async () => undefined });
}

const requestIds: RequestHandler = (request, response, next) => {
  const requestId = requestIdOf(request);
  response.locals.requestId = requestId;
  response.setHeader(REQUEST_ID_HEADER, requestId);
  next();
};

/** The caller's own id when it is harmless, else a new one. */
function requestIdOf(request: Request): string {
  const given = request.get(REQUEST_ID_HEADER) ?? '';
  return /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** What the service's clock shows, with every answer: ages are told by it, and it need not be the wall's. */
function clockTime({ clock }: ApiOptions): RequestHandler {
  return (_request, response, next) => {
    const now = clock.now();
    const wallMilliseconds = clock.wallMillisecondsUntil(now + HOUR_SECONDS);
    response.setHeader('gridcast-time', new Date(now * 1000).toISOString());
    // Clock seconds per wall second; 0 for one that stands.
    response.setHeader('gridcast-pace', wallMilliseconds > 0 ? (HOUR_SECONDS * 1000) / wallMilliseconds : 0);
    next();
  };
}

const HOUR_SECONDS = 3600;

function tokens(options: ApiOptions): RequestHandler {
  return async (request, response, next) => {
    const authentication = await authenticate(options, request.get('authorization'), request.headers);
    if (authentication.kind === 'REFUSED') {
      response.setHeader('www-authenticate', 'Bearer');
      return sendError(options.logger, response, 401, 'UNAUTHENTICATED', authentication.reason);
    }
    response.locals.principal = authentication.kind === 'KNOWN' ? authentication.principal : null;
    next();
  };
}

/**
 * Lets nobody in without a token, except to ask whether anybody is there. A request without a query is left to Apollo.
 */
function strangers({ logger }: ApiOptions): RequestHandler {
  return (request, response, next) => {
    const query = request.method === 'GET' ? request.query.query : request.body.query;
    if (response.locals.principal || query === undefined) return next();
    if (typeof query === 'string' && mayStrangerSend(query)) return next();
    response.setHeader('www-authenticate', 'Bearer');
    sendError(logger, response, 401, 'UNAUTHENTICATED', 'send a bearer token in the authorization header');
  };
}

/** Reads the body, as large as the caller's role has use for: histories are imported by admins only. */
function bodies({ limits }: ApiOptions): RequestHandler {
  const work = limits.maxLegs * (limits.maxScriptBytes + limits.maxArgumentBytes) * JSON_OVERHEAD;
  const upTo = (limit: number) => express.json({ limit, verify: verifyShape });
  const anonymous = upTo(ANONYMOUS_BODY_BYTES);
  const working = upTo(Math.min(work, limits.maxBodyBytes));
  const administrating = upTo(limits.maxBodyBytes);
  return (request, response, next) => {
    const { principal } = response.locals as Locals;
    const role = principal?.role;
    const read = role === undefined ? anonymous : role === 'ADMIN' ? administrating : working;
    read(request, response, (error?: unknown) => {
      // What is no JSON is left to Apollo, which answers that the content type is wrong.
      request.body ??= {};
      next(error ?? queryFault(request.body));
    });
  };
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
