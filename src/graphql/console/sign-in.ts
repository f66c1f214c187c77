import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import {
  CODE_SECONDS,
  createSignInCode,
  endSession,
  openSessionByCode,
  openSessionByToken,
} from '../../store/console-passes.ts';
import type { ApiOptions } from '../options.ts';
import { isOwnPage, noCookie, sessionCookie, sessionOf } from './cookie.ts';
import { Tries } from './tries.ts';

/** Tries that may fail within a minute: from one address, which may be a proxy's, and from all of them. */
const MOST_FAILURES = { perAddress: 20, inAll: 200 } as const;
const MOST_BYTES = 4096;
const LONGEST_SECRET = 512;

type Options = Pick<ApiOptions, 'database' | 'clock' | 'logger'>;

/**
 * The doors of the console, beside GraphQL because they deal in cookies: `code` makes a code for a bearer token,
 * `sign-in` trades a code or a token for a session in a cookie, `sign-out` ends it.
 */
export function serveSignIn(app: Express, options: Options): void {
  const tries = new Tries(MOST_FAILURES.perAddress, MOST_FAILURES.inAll);
  const guards = [noStore, ownPagesOnly, express.json({ limit: MOST_BYTES, inflate: false }), bounded(tries)];
  app.post('/console/code', guards, giveCode(options, tries));
  app.post('/console/sign-in', guards, signIn(options, tries));
  app.post('/console/sign-out', guards, signOut(options));
}

function giveCode({ database, clock }: Options, tries: Tries): RequestHandler {
  return async (request, response) => {
    const [, token = ''] = /^Bearer +([^\s]+)$/i.exec(request.get('authorization') ?? '') ?? [];
    const code = isSecret(token) ? await createSignInCode(database, token, clock.now()) : null;
    if (code !== null) return void response.json({ code, expiresSeconds: CODE_SECONDS });
    tries.note(addressOf(request), performance.now());
    refuse(response, 401, 'UNAUTHENTICATED', 'send a good bearer token in the authorization header');
  };
}

function signIn({ database, clock, logger }: Options, tries: Tries): RequestHandler {
  return async (request, response) => {
    const { code, token } = (request.body ?? {}) as { code?: unknown; token?: unknown };
    const session = isSecret(code)
      ? await openSessionByCode(database, code, clock.now())
      : isSecret(token)
        ? await openSessionByToken(database, token.trim(), clock.now())
        : null;
    logger.info({ requestId: response.locals.requestId, opened: session !== null }, 'sign-in to the console');
    if (session !== null) {
      response.setHeader('set-cookie', sessionCookie(session, isSecure(request)));
      return void response.json({ signedIn: true });
    }
    tries.note(addressOf(request), performance.now());
    const what = isSecret(code) ? 'this link was used already or is older than 10 minutes' : 'that token is no good';
    refuse(response, 401, 'UNAUTHENTICATED', `${what}; \`npx gridcast console\` prints a new link`);
  };
}

function signOut({ database }: Options): RequestHandler {
  return async (request, response) => {
    const session = sessionOf(request.headers);
    if (session !== null) await endSession(database.db, session);
    response.setHeader('set-cookie', noCookie(isSecure(request)));
    response.json({ signedIn: false });
  };
}

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('cache-control', 'no-store');
  next();
};

const ownPagesOnly: RequestHandler = (request, response, next) => {
  const isJson = request.is('application/json') === 'application/json';
  if (isJson && isOwnPage(request.headers)) return next();
  refuse(response, 403, 'FORBIDDEN', "only the console's own pages, and programs that send JSON, may ask this");
};

function bounded(tries: Tries): RequestHandler {
  return (request, response, next) => {
    if (!tries.isTooMany(addressOf(request), performance.now())) return next();
    response.setHeader('retry-after', '60');
    refuse(response, 429, 'BUSY', 'too many tries have failed; wait a minute');
  };
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_SECRET;
}

function addressOf({ socket }: Request): string {
  return socket.remoteAddress ?? '';
}

/** Whether the browser's own connection is TLS, which ends at a proxy. */
function isSecure(request: Request): boolean {
  return request.secure || request.get('x-forwarded-proto') === 'https';
}

function refuse(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ errors: [{ message, extensions: { code, requestId: response.locals.requestId } }] });
}
