import { randomUUID } from 'node:crypto';
import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { authenticate } from './authenticate.ts';
import { bodies, type Locals } from './bodies.ts';
import type { ChangeHub } from './change-hub.ts';
import { servePages } from './console/pages.ts';
import { serveSignIn } from './console/sign-in.ts';
import { type ApiContext, commandsOf, createContext } from './context.ts';
import { CutOff } from './cut-off.ts';
import { operationTurns } from './operation-turns.ts';
import type { ApiOptions } from './options.ts';
import { lastResort, sendError } from './refused-requests.ts';
import { mayStrangerSend } from './strangers.ts';

const REQUEST_ID_HEADER = 'x-request-id';

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
    methods(options),
    clockTime(options),
    tokens(options),
    bodies(options),
    strangers(options),
    operationTurns(options),
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

const METHODS = ['GET', 'HEAD', 'POST'];

function methods({ logger }: ApiOptions): RequestHandler {
  return (request, response, next) => {
    if (METHODS.includes(request.method)) return next();
    response.setHeader('allow', METHODS.join(', '));
    sendError(logger, response, 405, 'BAD_REQUEST', `${request.method} is not taken here; send operations with POST`);
  };
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
