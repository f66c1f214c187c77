import { createHash, randomBytes } from 'node:crypto';
import type { EpochSeconds } from '../domain/clock.ts';
import type { Role } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { isDatabaseAway, isDatabaseRefusal } from './database-away.ts';
import { toDate, withMoments } from './moments.ts';
import { sharedRead } from './shared-read.ts';

/** Who is calling: a person or program of one tenant, in one role. */
export interface Principal {
  readonly id: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly name: string;
  readonly role: Role;
}

/** Finds the tenant of that name or creates it; returns its id. */
export async function ensureTenant(db: Db, name: string, now: EpochSeconds): Promise<string> {
  const tenant = await db.tenant.upsert({ where: { name }, create: { name, createdAt: toDate(now) }, update: {} });
  return tenant.id;
}

const tenantNames = new Map<string, string>();

/** Name of a tenant, which it keeps for ever. */
export async function findTenantName(db: Db, id: string): Promise<string> {
  const known = tenantNames.get(id) ?? (await db.tenant.findUniqueOrThrow({ where: { id } })).name;
  tenantNames.set(id, known);
  return known;
}

/** Names of every tenant, in order. */
export async function listTenantNames(db: Db): Promise<string[]> {
  return (await db.tenant.findMany({ orderBy: { name: 'asc' }, select: { name: true } })).map(({ name }) => name);
}

/** The names of principals, by id. */
export function findPrincipalNames(db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return db.principal.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } });
}

/** Finds the principal of that name, or creates it with a role for tokens for which none is said. */
export async function ensurePrincipal(db: Db, tenantId: string, name: string, role: Role): Promise<string> {
  const principal = await db.principal.upsert({
    where: { tenantId_name: { tenantId, name } },
    create: { tenantId, name, role },
    update: {},
  });
  return principal.id;
}

/** A token just made. Its text is nowhere else. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** Makes a new bearer token of a role. */
export async function createToken(
  db: Db,
  {
    principalId,
    role,
    now,
    expiresAt,
  }: {
    readonly principalId: string;
    readonly role: Role;
    readonly now: EpochSeconds;
    readonly expiresAt: EpochSeconds | null;
  },
): Promise<IssuedToken> {
  const token = `gct_${randomBytes(24).toString('base64url')}`;
  const times = { createdAt: toDate(now), expiresAt: toDate(expiresAt) };
  const { id } = await db.token.create({ data: { principalId, role, hash: hashToken(token), ...times } });
  return { id, token };
}

/** A token as an administrator sees it: everything but its text. */
export interface ListedToken {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly role: Role;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds | null;
  readonly lastUsedAt: EpochSeconds | null;
  readonly revokedAt: EpochSeconds | null;
}

/** The newest `limit` tokens; those that still open a door, unless `all`. */
export async function listTokens(
  db: Db,
  { tenant, all, now, limit }: { tenant: string | null; all: boolean; now: EpochSeconds; limit: number },
): Promise<ListedToken[]> {
  const isLive = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: toDate(now) } }] };
  const rows = await db.token.findMany({
    where: { ...(all ? {} : isLive), ...(tenant !== null && { principal: { tenant: { name: tenant } } }) },
    include: { principal: { include: { tenant: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map((row) => {
    const { id, role, createdAt, expiresAt, lastUsedAt, revokedAt } = withMoments(row);
    const { name: principal, tenant } = row.principal;
    return { id, tenant: tenant.name, principal, role, createdAt, expiresAt, lastUsedAt, revokedAt };
  });
}

/** Revokes a token by its text or its id; false when no live token has it. */
export async function revokeToken(db: Db, tokenOrId: string, now: EpochSeconds): Promise<boolean> {
  const named = UUID.test(tokenOrId) ? { id: tokenOrId } : { hash: hashToken(tokenOrId) };
  const { count } = await db.token.updateMany({
    where: { ...named, revokedAt: null },
    data: { revokedAt: toDate(now) },
  });
  return count > 0;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The principal a bearer token stands for; null when it is unknown, expired or revoked. One statement, for every
 * request asks; a second one writes the use down, once a minute, where PostgreSQL lets it.
 */
export async function findPrincipalByToken(db: Db, token: string, now: EpochSeconds): Promise<Principal | null> {
  const hash = hashToken(token);
  const found = await findToken(db, hash, now);
  if (!found) return null;
  const { usedLately, ...principal } = found;
  if (!usedLately) await noteUse(db, hash, now);
  return principal;
}

/** A question is answered also by a PostgreSQL that is only read, or has no room. */
async function noteUse(db: Db, hash: string, now: EpochSeconds): Promise<void> {
  try {
    await db.token.updateMany({ where: { hash }, data: { lastUsedAt: toDate(now) } });
  } catch (error) {
    if (!isDatabaseAway(error) && !isDatabaseRefusal(error)) throw error;
  }
}

type FoundToken = Principal & { readonly usedLately: boolean };

const findToken = sharedRead(
  (hash: string, _now: EpochSeconds) => hash,
  async (db, hash, now): Promise<FoundToken | null> => {
    const [found] = await db.$queryRaw<FoundToken[]>`
    SELECT p."id"::text AS "id", p."tenantId"::text AS "tenantId", n."name" AS "tenantName", p."name", t."role"::text AS "role",
           COALESCE(t."lastUsedAt" > to_timestamp(${now - USE_SECONDS}::float8), false) AS "usedLately"
      FROM "Token" t JOIN "Principal" p ON p."id" = t."principalId" JOIN "Tenant" n ON n."id" = p."tenantId"
     WHERE t."hash" = ${hash} AND t."revokedAt" IS NULL
       AND (t."expiresAt" IS NULL OR t."expiresAt" > to_timestamp(${now}::float8))`;
    return found ?? null;
  },
);

const USE_SECONDS = 60;

/** What is kept of a secret: its SHA-256 in hexadecimal digits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
