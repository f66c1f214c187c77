import { SiteFailure } from '../../domain/failures.ts';
import { nextLookAt } from '../../domain/next-look.ts';
import { type SiteRow, saveFollowed } from '../../store/sites.ts';
import type { Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { historyDueSince, keepAccounting } from './look/accounting.ts';
import { checkIdentities } from './look/check-identities.ts';
import { endFailedLook } from './look/end-failed-look.ts';
import { areFactsDue, keepFacts, readFacts } from './look/facts.ts';
import { keepBreakers } from './look/keep-breakers.ts';
import { keepLoadForecasts } from './look/keep-load-forecasts.ts';
import { keepSnapshot } from './look/keep-snapshot.ts';
import { followJobs } from './sightings/follow-jobs.ts';

/**
 * Looks at a site once: one queue listing however many jobs are tracked there, and every so often its accounting. Every
 * tracked execution follows what was seen of its job, and whatever is new goes into the records. What takes long comes
 * last: nobody waits for accounting to be told what the queue shows.
 */
export async function observeStep(context: FlowContext, turn: Turn, site: SiteRow): Promise<Next> {
  const adapter = context.adapterOf(site);
  const startedAt = context.clock.now();
  const wakeAt = nextLookAt(site.name, startedAt, context.settings.observeIntervalSeconds);
  try {
    const snapshot = await adapter.snapshot();
    // Before its queues are known nothing could be planned on the snapshot.
    const facts = site.queues.length === 0 ? await readFacts(adapter) : null;
    const since = historyDueSince(context, site);
    await keepSnapshot(context, turn, site, { snapshot, facts, isAllOfTheLook: since === null });
    const followed = await orFailure(followJobs(context, site, adapter, snapshot));
    if (facts === null && areFactsDue(context, site)) await keepFacts(context, adapter, site);
    if (since !== null) await keepAccounting(context, adapter, site, snapshot, since);
    await keepLoadForecasts(context, site);
    await checkIdentities(context, site);
    if (followed instanceof SiteFailure) throw followed;
    return await commitStep(context, turn, { wakeAt }, async (tx) => {
      if (followed) await saveFollowed(tx, site.id, snapshot.observedAt);
      await keepBreakers(context, tx, adapter, site);
    });
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return endFailedLook(context, turn, site, { adapter, failure: error, startedAt, wakeAt });
  }
}

/** What comes of it, or what the site failed at. Anything else is thrown. */
async function orFailure<Result>(work: Promise<Result>): Promise<Result | SiteFailure> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SiteFailure) return error;
    throw error;
  }
}
