import type { OpenBreaker } from '../domain/site-service.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { AND_TELLS_NOTHING, type SiteRow } from './sites.ts';

/** The services of a site that are left alone, as of its newest look. */
export function openBreakersOf({ openBreakers }: SiteRow): readonly OpenBreaker[] {
  return openBreakers as unknown as OpenBreaker[];
}

/** Keeps which services of a site are left alone, and tells of it. */
export async function saveOpenBreakers(tx: Db, siteId: string, breakers: readonly OpenBreaker[]): Promise<void> {
  const data = { openBreakers: breakers.map((breaker) => ({ ...breaker })) };
  await tx.site.update({ where: { id: siteId }, data, ...AND_TELLS_NOTHING });
  await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
}
