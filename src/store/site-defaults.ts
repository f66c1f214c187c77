import type { MailRequest } from '../domain/resources.ts';
import type { SiteDefaults } from '../domain/site-requests.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';

/** What admins have set at a site for the jobs of one tenant, or of all. */
export interface SetDefaults {
  readonly siteId: string;
  /** Name of the tenant; null for every tenant. */
  readonly tenant: string | null;
  readonly defaults: SiteDefaults;
}

/** Sets all of them anew; nothing left forgets them. */
export async function saveSiteDefaults(tx: Db, { siteId, tenant, defaults }: SetDefaults): Promise<void> {
  const key = { siteId, tenant: tenant ?? EVERY_TENANT };
  await tx.siteDefault.deleteMany({ where: key });
  if (Object.keys(defaults).length === 0) return;
  const { mail, ...words } = defaults;
  await tx.siteDefault.create({
    data: { ...key, ...words, ...(mail && { mail: mail as unknown as Prisma.InputJsonObject }) },
  });
}

/** Those of some sites, for every tenant first. */
export async function listSiteDefaults(db: Db, siteIds: readonly string[]): Promise<SetDefaults[]> {
  const where = { siteId: { in: [...siteIds] } };
  return (await db.siteDefault.findMany({ where, orderBy: { tenant: 'asc' } })).map(toDefaults);
}

/** What holds for the jobs of a tenant: its own at a site go before those of every tenant. By the sites' ids. */
export async function loadTenantDefaults(db: Db, tenant: string): Promise<ReadonlyMap<string, SiteDefaults>> {
  return mergedDefaults(await db.$queryRaw<DefaultColumns[]>(defaultsOf(tenant)));
}

/** One row of what is set. */
export type DefaultColumns = Prisma.SiteDefaultGetPayload<Record<string, never>>;

/** What is set for every tenant, and after it what is set for one. */
export function defaultsOf(tenant: string): Prisma.Sql {
  return Prisma.sql`SELECT * FROM "SiteDefault" WHERE "tenant" IN (${EVERY_TENANT}, ${tenant}) ORDER BY "tenant"`;
}

/** What holds by such rows in their order. */
export function mergedDefaults(rows: readonly DefaultColumns[]): ReadonlyMap<string, SiteDefaults> {
  const merged = new Map<string, SiteDefaults>();
  for (const { siteId, defaults } of rows.map(toDefaults)) merged.set(siteId, { ...merged.get(siteId), ...defaults });
  return merged;
}

function toDefaults(row: DefaultColumns): SetDefaults {
  const { siteId, tenant, queue, account, qos, siteReservation, workFolder } = row;
  const mail = row.mail as unknown as MailRequest | null;
  return {
    siteId,
    tenant: tenant === EVERY_TENANT ? null : tenant,
    defaults: {
      ...(queue !== null && { queue }),
      ...(account !== null && { account }),
      ...(qos !== null && { qos }),
      ...(siteReservation !== null && { siteReservation }),
      ...(workFolder !== null && { workFolder }),
      ...(mail && { mail }),
    },
  };
}

/** Stands for all of them; no tenant has an empty name. */
const EVERY_TENANT = '';
