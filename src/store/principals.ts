import { createHash, randomBytes } from 'node:crypto';
import type { EpochSeconds } from '../domain/clock.ts';
import type { Role } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { toDate } from './moments.ts';

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

/** Finds the principal of that name or creates it, and gives it the role. */
export async function ensurePrincipal(db: Db, tenantId: string, name: string, role: Role): Promise<string> {
  const principal = await db.principal.upsert({
    where: { tenantId_name: { tenantId, name } },
    create: { tenantId, name, role },
    update: { role },
  });
  return principal.id;
}

/** Makes a new bearer token. Its text is returned once and never stored. */
export async function issueToken(
  db: Db,
  principalId: string,
  now: EpochSeconds,
  expiresAt: EpochSeconds | null,
): Promise<string> {
  const token = `gct_${randomBytes(24).toString('base64url')}`;
  await db.token.create({
    data: { principalId, hash: hashToken(token), createdAt: toDate(now), expiresAt: toDate(expiresAt) },
  });
  return token;
}

/** Revokes a token by its text; false when no live token has it. */
export async function revokeToken(db: Db, token: string, now: EpochSeconds): Promise<boolean> {
  const revoked = await db.token.updateMany({
    where: { hash: hashToken(token), revokedAt: null },
    data: { revokedAt: toDate(now) },
  });
  return revoked.count > 0;
}

/** The principal a bearer token stands for; null when it is unknown, expired or revoked. One statement: every request asks. */
export async function findPrincipalByToken(db: Db, token: string, now: EpochSeconds): Promise<Principal | null> {
  const rows = await db.$queryRaw<Principal[]>`
    SELECT p."id"::text AS "id", p."tenantId"::text AS "tenantId", n."name" AS "tenantName", p."name", p."role"::text AS "role"
      FROM "Token" t JOIN "Principal" p ON p."id" = t."principalId" JOIN "Tenant" n ON n."id" = p."tenantId"
     WHERE t."hash" = ${hashToken(token)} AND t."revokedAt" IS NULL
       AND (t."expiresAt" IS NULL OR t."expiresAt" > to_timestamp(${now}::float8))`;
  return rows[0] ?? null;
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
