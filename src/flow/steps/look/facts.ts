import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import { type SiteRow, saveSiteFacts } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import { wakeObstructed } from '../elsewhere/unusable.ts';

/**
 * Whether facts are to be read at this look, for windows and queues change fast: once a minute where it is looked at as
 * often.
 */
export function areFactsDue({ clock, settings }: FlowContext, { factsAt }: SiteRow): boolean {
  const now = clock.now();
  const since = factsAt !== null && factsAt <= now ? factsAt : 0;
  return now - since >= Math.min(FACTS_SECONDS, settings.historyIntervalSeconds);
}

/** Reads and keeps the site's facts. Promises that something new stands against get a turn. */
export async function keepFacts({ clock, database }: FlowContext, adapter: SiteAdapter, site: SiteRow): Promise<void> {
  const facts = await adapter.facts();
  const now = clock.now();
  await database.transaction(async (tx) => {
    await saveSiteFacts(tx, site.id, { ...facts, honours: adapter.capabilities.honours ?? [] }, now);
    await wakeObstructed(tx, site, facts, now);
  });
}

const FACTS_SECONDS = 60;
