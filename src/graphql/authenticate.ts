import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import { findPrincipalBySession } from '../store/console-passes.ts';
import type { Database } from '../store/database.ts';
import { findPrincipalByToken, type Principal } from '../store/principals.ts';
import { isOwnPage, sessionOf } from './console/cookie.ts';

/** Who sent a request: nobody, somebody, or somebody whose token is no good. */
export type Authentication =
  | { readonly kind: 'ANONYMOUS' }
  | { readonly kind: 'KNOWN'; readonly principal: Principal }
  | { readonly kind: 'REFUSED'; readonly reason: string };

interface Doors {
  readonly database: Database;
  readonly clock: Clock;
  /** Looks for whom a session is open; the database is asked for each by itself without. */
  readonly findSession?: (session: string) => Promise<Principal | null>;
}

/**
 * Reads an authorization header, or what stands for one in a WebSocket's connection parameters; without it the cookie
 * of a session, which counts only where it comes from a page of our own.
 */
export async function authenticate(
  doors: Doors,
  authorization: unknown,
  headers: IncomingHttpHeaders,
): Promise<Authentication> {
  if (authorization === undefined || authorization === null || authorization === '') return bySession(doors, headers);
  const [, token] = typeof authorization === 'string' ? (/^Bearer +([^\s]+)$/i.exec(authorization) ?? []) : [];
  if (token === undefined) return { kind: 'REFUSED', reason: 'the authorization header must be "Bearer <token>"' };
  const principal = await findPrincipalByToken(doors.database.db, token, doors.clock.now());
  if (!principal) return { kind: 'REFUSED', reason: 'the bearer token is unknown, expired or revoked' };
  return { kind: 'KNOWN', principal };
}

async function bySession(
  { database, clock, findSession }: Doors,
  headers: IncomingHttpHeaders,
): Promise<Authentication> {
  const session = sessionOf(headers);
  if (session === null) return { kind: 'ANONYMOUS' };
  if (!isOwnPage(headers)) return { kind: 'REFUSED', reason: "a session is good for the console's own pages alone" };
  const find = findSession ?? ((text: string) => findPrincipalBySession(database.db, text, clock.now()));
  const principal = await find(session);
  if (!principal) return { kind: 'REFUSED', reason: 'the session is over; sign in again' };
  return { kind: 'KNOWN', principal };
}
