import { randomBytes } from 'node:crypto';
import type { EpochSeconds } from '../domain/clock.ts';
import type { ConsolePassKind } from '../generated/prisma/client.ts';
import type { Database, Db } from './database.ts';
import { toDate } from './moments.ts';
import { hashToken, type Principal } from './principals.ts';

/** For how long a code may be traded for a session, in wall time. */
export const CODE_SECONDS = 600;

/** How long a browser stays signed in, in wall time. */
export const SESSION_SECONDS = 12 * 3600;

/** Open codes, and open sessions, of one token: when there are more the oldest go. */
const MOST_PASSES = 20;

/** Makes a code for a bearer token; null when the token is no good. */
export function createSignInCode(database: Database, token: string, now: EpochSeconds): Promise<string | null> {
  return database.transaction(async (tx) => {
    const tokenId = await lockToken(tx, { hash: hashToken(token) }, now);
    return tokenId === null ? null : issue(tx, tokenId, 'CODE');
  });
}

/** Opens a session for a bearer token; null when the token is no good. */
export function openSessionByToken(database: Database, token: string, now: EpochSeconds): Promise<string | null> {
  return database.transaction(async (tx) => {
    const tokenId = await lockToken(tx, { hash: hashToken(token) }, now);
    return tokenId === null ? null : issue(tx, tokenId, 'SESSION');
  });
}

/** Trades a code for a session; null when it is unknown, was used or is too old, or its token is no good. */
export function openSessionByCode(database: Database, code: string, now: EpochSeconds): Promise<string | null> {
  return database.transaction(async (tx) => {
    const [used] = await tx.$queryRaw<{ tokenId: string }[]>`
      DELETE FROM "ConsolePass" WHERE "hash" = ${hashToken(code)} AND "kind" = 'CODE' AND "expiresAt" > now()
      RETURNING "tokenId"::text AS "tokenId"`;
    const tokenId = used ? await lockToken(tx, { id: used.tokenId }, now) : null;
    return tokenId === null ? null : issue(tx, tokenId, 'SESSION');
  });
}

/** Ends a session, if there is one of that text. */
export async function endSession(db: Db, session: string): Promise<void> {
  await db.consolePass.deleteMany({ where: { hash: hashToken(session), kind: 'SESSION' } });
}

/** For whom a session is open: null when it is unknown or over, or its token is expired or revoked. */
export async function findPrincipalBySession(db: Db, session: string, now: EpochSeconds): Promise<Principal | null> {
  const [found] = await findPrincipalsBySessions(db, [session], now);
  return found ?? null;
}

/** The same for several at once, in their order. */
export async function findPrincipalsBySessions(
  db: Db,
  sessions: readonly string[],
  now: EpochSeconds,
): Promise<(Principal | null)[]> {
  const hashes = sessions.map(hashToken);
  const rows = await db.$queryRaw<(Principal & { readonly hash: string })[]>`
    SELECT c."hash", p."id"::text AS "id", p."tenantId"::text AS "tenantId", n."name" AS "tenantName", p."name",
           t."role"::text AS "role"
      FROM "ConsolePass" c JOIN "Token" t ON t."id" = c."tokenId"
      JOIN "Principal" p ON p."id" = t."principalId" JOIN "Tenant" n ON n."id" = p."tenantId"
     WHERE c."hash" = ANY(${hashes}) AND c."kind" = 'SESSION' AND c."expiresAt" > now()
       AND t."revokedAt" IS NULL AND (t."expiresAt" IS NULL OR t."expiresAt" > to_timestamp(${now}::float8))`;
  const byHash = new Map(rows.map(({ hash, ...principal }) => [hash, principal]));
  return hashes.map((hash) => byHash.get(hash) ?? null);
}

/** The token's id, its row locked so that its passes are counted one at a time; null when it is no good. */
async function lockToken(
  tx: Db,
  { hash = null, id = null }: { readonly hash?: string | null; readonly id?: string | null },
  now: EpochSeconds,
): Promise<string | null> {
  const [token] = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "Token"
     WHERE ("hash" = ${hash} OR "id" = ${id}::uuid) AND "revokedAt" IS NULL
       AND ("expiresAt" IS NULL OR "expiresAt" > ${toDate(now)}) FOR UPDATE`;
  return token?.id ?? null;
}

async function issue(tx: Db, tokenId: string, kind: ConsolePassKind): Promise<string> {
  const [prefix, seconds] = kind === 'CODE' ? ['gcc', CODE_SECONDS] : ['gcs', SESSION_SECONDS];
  const text = `${prefix}_${randomBytes(24).toString('base64url')}`;
  await tx.$executeRaw`
    INSERT INTO "ConsolePass" ("hash", "tokenId", "kind", "createdAt", "expiresAt")
    VALUES (${hashToken(text)}, ${tokenId}::uuid, ${kind}::"ConsolePassKind", clock_timestamp(),
            clock_timestamp() + make_interval(secs => ${seconds}::float8))`;
  await tx.$executeRaw`
    DELETE FROM "ConsolePass" WHERE "expiresAt" <= now() OR "hash" IN (
      SELECT "hash" FROM "ConsolePass" WHERE "tokenId" = ${tokenId}::uuid AND "kind" = ${kind}::"ConsolePassKind"
       ORDER BY "createdAt" DESC, "hash" OFFSET ${MOST_PASSES})`;
  return text;
}
