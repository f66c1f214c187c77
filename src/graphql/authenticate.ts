import type { Clock } from '../domain/clock.ts';
import type { Database } from '../store/database.ts';
import { findPrincipalByToken, type Principal } from '../store/principals.ts';

/** Who sent a request: nobody, somebody, or somebody whose token is no good. */
export type Authentication =
  | { readonly kind: 'ANONYMOUS' }
  | { readonly kind: 'KNOWN'; readonly principal: Principal; readonly token: string }
  | { readonly kind: 'REFUSED'; readonly reason: string };

/** Reads an authorization header, or what stands for one in a WebSocket's connection parameters. */
export async function authenticate(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  authorization: unknown,
): Promise<Authentication> {
  if (authorization === undefined || authorization === null || authorization === '') return { kind: 'ANONYMOUS' };
  const [, token] = typeof authorization === 'string' ? (/^Bearer +([^\s]+)$/i.exec(authorization) ?? []) : [];
  if (token === undefined) return { kind: 'REFUSED', reason: 'the authorization header must be "Bearer <token>"' };
  const principal = await findPrincipalByToken(database.db, token, clock.now());
  if (!principal) return { kind: 'REFUSED', reason: 'the bearer token is unknown, expired or revoked' };
  return { kind: 'KNOWN', principal, token };
}
