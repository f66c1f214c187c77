import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import { openBreakersAfter } from '../../../domain/site-service.ts';
import type { Db } from '../../../store/database.ts';
import { openBreakersOf, saveOpenBreakers } from '../../../store/site-breakers.ts';
import type { SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';

/** Writes down which services of a site this process leaves alone, at the end of a look, where that has changed. */
export async function keepBreakers(
  { clock }: FlowContext,
  tx: Db,
  { standings }: SiteAdapter,
  site: SiteRow,
): Promise<void> {
  const before = openBreakersOf(site);
  const after = openBreakersAfter(before, standings?.() ?? [], clock.now());
  if (keyOf(before) !== keyOf(after)) await saveOpenBreakers(tx, site.id, after);
}

function keyOf(breakers: ReturnType<typeof openBreakersOf>): string {
  return JSON.stringify(breakers.map(({ service, openedAt, code }) => [service, openedAt, code]));
}
