import type { EpochSeconds } from '../domain/clock.ts';
import { FAULT_CODES, type FaultCode } from '../domain/failures.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';

/** How a tenant's account at a site did when it was last used for a question. */
export type IdentityCheckRow = WithMoments<Prisma.IdentityCheckGetPayload<Record<string, never>>>;

/** Keeps how it did: a fault, or null where it was answered. */
export async function saveIdentityCheck(
  db: Db,
  check: { readonly siteId: string; readonly tenant: string; readonly user: string; readonly fault: FaultCode | null },
  now: EpochSeconds,
): Promise<void> {
  const { siteId, tenant, user, fault } = check;
  const news = { user, fault, checkedAt: toDate(now) };
  await db.identityCheck.upsert({
    where: { siteId_tenant: { siteId, tenant } },
    create: { siteId, tenant, ...news },
    update: news,
  });
}

/** Those of some sites. */
export async function listIdentityChecks(db: Db, siteIds: readonly string[]): Promise<IdentityCheckRow[]> {
  return withMoments(await db.identityCheck.findMany({ where: { siteId: { in: [...siteIds] } } }));
}

/** Those of one tenant, by its name: whose account, and how it did. */
export function checksOf(tenant: string): Prisma.Sql {
  return Prisma.sql`SELECT "siteId", "user", "fault" FROM "IdentityCheck" WHERE "tenant" = ${tenant}`;
}

/** What was wrong with it; null when it was answered. */
export function identityFaultOf({ fault }: Pick<IdentityCheckRow, 'fault'>): FaultCode | null {
  return FAULT_CODES.find((code) => code === fault) ?? null;
}
