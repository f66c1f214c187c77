import type { RequestName } from '../../../domain/resources.ts';
import type { SiteFacts } from '../../../domain/site.ts';
import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import { saysTheSame } from '../../../store/site-resources.ts';
import { confirmSiteFacts, type SiteRow, saveSiteFacts } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import { wakeObstructed } from '../elsewhere/unusable.ts';
import { forgetDisproved } from '../refusals/refusals.ts';

/**
 * Whether facts are to be read at this look, for windows and queues change fast: once a minute where it is looked at as
 * often.
 */
export function areFactsDue({ clock, settings }: FlowContext, { factsAt }: SiteRow): boolean {
  const now = clock.now();
  const since = factsAt !== null && factsAt <= now ? factsAt : 0;
  return now - since >= Math.min(FACTS_SECONDS, settings.historyIntervalSeconds);
}

/** What is true of a site whatever its load, with what jobs can ask of it by name. */
export type KnownFacts = SiteFacts & { readonly honours: readonly RequestName[] };

/** Asks a site for it. @throws SiteFailure */
export async function readFacts(adapter: SiteAdapter): Promise<KnownFacts> {
  const { honours = [] } = adapter.capabilities;
  const staging = adapter.stage && honours.includes('workFolder') ? (['staging'] as const) : [];
  return { ...(await adapter.facts()), honours: [...honours, ...staging] };
}

/** Reads the site's facts, and keeps what has changed. Promises that something new stands against get a turn. */
export async function keepFacts({ clock, database }: FlowContext, adapter: SiteAdapter, site: SiteRow): Promise<void> {
  const facts = await readFacts(adapter);
  const now = clock.now();
  if (saysTheSame(site, facts)) return confirmSiteFacts(database.db, site.id, now);
  await database.transaction(async (tx) => {
    await saveSiteFacts(tx, site.id, facts, now);
    await forgetDisproved(tx, site.id, site.queues, facts.queues);
    await wakeObstructed(tx, site, facts, now);
  });
}

const FACTS_SECONDS = 60;
