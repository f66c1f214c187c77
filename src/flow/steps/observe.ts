import type { DownTimeState } from '../../domain/down-time.ts';
import { faultSentence, SiteFailure } from '../../domain/failures.ts';
import type { JobRecord } from '../../domain/job.ts';
import type { SiteFacts } from '../../domain/site.ts';
import type { HistoryPage, SiteAdapter } from '../../domain/site-adapter.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { judgeDownTime, NEVER_LOOKED_AT, noteNoAnswer, noteSnapshot } from '../../predict/down-time.ts';
import type { Db } from '../../store/database.ts';
import { listTrackedExecutions } from '../../store/executions.ts';
import { wakeExecutionsBeforeStart } from '../../store/outbox.ts';
import { saveRecords } from '../../store/records.ts';
import {
  readDownTimeState,
  readSnapshot,
  type SiteRow,
  saveDownTime,
  saveHistorySince,
  saveSiteFacts,
  saveSiteFault,
  saveSnapshot,
} from '../../store/sites.ts';
import type { Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { type Sighting, sightings } from './sightings.ts';
import { cancelStrays } from './strays.ts';
import { trackStep } from './track.ts';

/**
 * Looks at a site once: one queue listing however many jobs are tracked there, and every so often its accounting. Whatever
 * is new goes into the records, and every tracked execution follows what was seen of its job.
 */
export async function observeStep(context: FlowContext, turn: Turn, site: SiteRow): Promise<Next> {
  const adapter = context.adapterOf(site);
  const startedAt = context.clock.now();
  const wakeAt = startedAt + context.settings.observeIntervalSeconds;
  try {
    const snapshot = await adapter.snapshot();
    const before = await readSnapshot(context.database.db, site.id);
    const { facts, history } = await readSlowly(context, adapter, site);
    await context.database.transaction(async (tx) => {
      // Records before the site's row, in the order in which an import locks them too.
      await saveRecords(tx, site.id, [...newlyRunning(before, snapshot), ...(history?.records ?? [])]);
      await saveSnapshot(tx, turn, snapshot);
      await watch(context, tx, site, (state) => noteSnapshot(state, snapshot, history?.records));
      if (facts) await saveSiteFacts(tx, site.id, facts);
      if (history) await saveHistorySince(tx, site.id, history.nextSince);
    });
    const tracked = await listTrackedExecutions(context.database.db, site.id);
    await trackAll(context, site, adapter, await sightings(adapter, tracked, snapshot));
    await cancelStrays(context, site, adapter, snapshot);
    return await commitStep(context, turn, { wakeAt }, async () => undefined);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return commitStep(context, turn, { wakeAt }, async (tx) => {
      await saveSiteFault(tx, turn, error);
      await watch(context, tx, site, (state) => noteNoAnswer(state, startedAt, faultSentence(error.code)));
    });
  }
}

/**
 * Lets the down-time detector take in a look. When the site is taken to be down from now on, the promises that wait for it or in its
 * queue look for another place.
 */
async function watch(
  { clock, logger }: FlowContext,
  tx: Db,
  site: SiteRow,
  note: (state: DownTimeState) => DownTimeState,
): Promise<void> {
  const now = clock.now();
  const state = note((await readDownTimeState(tx, site.id)) ?? NEVER_LOOKED_AT);
  const verdict = judgeDownTime(state, now);
  const change = await saveDownTime(tx, site.id, state, verdict, now);
  if (change === 'UNCHANGED') return;
  logger.warn({ site: site.name, change, evidence: verdict.evidence }, 'down-time detector');
  if (change === 'SUSPENDED') await wakeExecutionsBeforeStart(tx, site.id, now);
}

/** Follows all sightings, as many at once as the worker takes wake-ups in hand. */
async function trackAll(
  context: FlowContext,
  site: SiteRow,
  adapter: SiteAdapter,
  seen: readonly Sighting[],
): Promise<void> {
  const left = seen.values();
  const trackSome = async () => {
    for (const sighting of left) await trackStep(context, site, adapter, sighting);
  };
  await Promise.all(Array.from({ length: context.settings.concurrency }, trackSome));
}

/**
 * What changes slowly, asked for once per history interval: the site's facts and what its accounting has new. Accounting that is
 * away keeps nobody from following the queue.
 */
async function readSlowly(
  context: FlowContext,
  adapter: SiteAdapter,
  site: SiteRow,
): Promise<{ facts: SiteFacts | null; history: HistoryPage | null }> {
  const now = context.clock.now();
  // A moment to come is a lie that was believed, or our own clock was set back: what has been read is not known.
  const since = site.historySince !== null && site.historySince <= now ? site.historySince : 0;
  const isFirst = site.queues.length === 0;
  const isDue = now - since >= context.settings.historyIntervalSeconds;
  const facts = isFirst || isDue ? await adapter.facts() : null;
  if (!isDue || !adapter.capabilities.accounting) return { facts, history: null };
  try {
    return { facts, history: await adapter.history(since) };
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return { facts, history: null };
  }
}

/** Jobs that have started since the snapshot before: their waits are known now, long before accounting mentions them. */
function newlyRunning(before: Snapshot | null, snapshot: Snapshot): JobRecord[] {
  const known = new Set(before?.running.map(({ nativeId, startAt }) => `${nativeId}@${startAt}`));
  return snapshot.running
    .filter(({ nativeId, startAt }) => !known.has(`${nativeId}@${startAt}`))
    .map(({ key: _key, ...job }) => ({ ...job, endAt: null, outcome: null }));
}
