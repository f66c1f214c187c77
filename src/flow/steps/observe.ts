import type { EpochSeconds } from '../../domain/clock.ts';
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
import { wakeObstructed } from './elsewhere/unusable.ts';
import { type Sighting, sightings } from './sightings/sightings.ts';
import { cancelStrays } from './sightings/strays.ts';
import { trackStep } from './track.ts';

/**
 * Looks at a site once: one queue listing however many jobs are tracked there, and every so often its accounting. Every
 * tracked execution follows what was seen of its job, and whatever is new goes into the records. What takes long comes
 * last: nobody waits for accounting to be told what the queue shows.
 */
export async function observeStep(context: FlowContext, turn: Turn, site: SiteRow): Promise<Next> {
  const adapter = context.adapterOf(site);
  const startedAt = context.clock.now();
  const wakeAt = startedAt + context.settings.observeIntervalSeconds;
  try {
    const snapshot = await adapter.snapshot();
    // Before its queues are known nothing could be planned on the snapshot.
    const facts = site.queues.length === 0 ? await adapter.facts() : null;
    const since = historyDueSince(context, site);
    await keepSnapshot(context, turn, site, { snapshot, facts, isAllOfTheLook: since === null });
    const failure = await failureOf(followJobs(context, site, adapter, snapshot));
    if (facts === null && areFactsDue(context, site)) await keepFacts(context, adapter, site);
    if (since !== null) await keepSlowly(context, adapter, site, snapshot, since);
    if (failure) throw failure;
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
 * Keeps what the queue shows. A look that is to read accounting too reaches the down-time detector when that has
 * spoken.
 */
async function keepSnapshot(
  context: FlowContext,
  turn: Turn,
  site: SiteRow,
  { snapshot, facts, isAllOfTheLook }: { snapshot: Snapshot; facts: SiteFacts | null; isAllOfTheLook: boolean },
): Promise<void> {
  const before = await readSnapshot(context.database.db, site.id);
  await context.database.transaction(async (tx) => {
    // Records before the site's row, in the order in which an import locks them too.
    await saveRecords(tx, site.id, newlyRunning(before, snapshot));
    await saveSnapshot(tx, turn, snapshot);
    if (facts) await saveSiteFacts(tx, site.id, facts, context.clock.now());
    if (isAllOfTheLook) await watch(context, tx, site, (state) => noteSnapshot(state, snapshot));
  });
}

async function followJobs(
  context: FlowContext,
  site: SiteRow,
  adapter: SiteAdapter,
  snapshot: Snapshot,
): Promise<void> {
  const tracked = await listTrackedExecutions(context.database.db, site.id);
  await trackAll(context, site, await sightings(adapter, tracked, snapshot));
  await cancelStrays(context, site, adapter, snapshot);
}

/** What the site failed at; null when it did not. Anything else is thrown. */
async function failureOf(work: Promise<void>): Promise<SiteFailure | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof SiteFailure) return error;
    throw error;
  }
}

/**
 * Lets the down-time detector take in a look. When the site is taken to be down from now on, the promises that wait for
 * it or in its queue look for another place.
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
async function trackAll(context: FlowContext, site: SiteRow, seen: readonly Sighting[]): Promise<void> {
  const left = seen.values();
  const trackSome = async () => {
    for (const sighting of left) await trackStep(context, site, sighting);
  };
  await Promise.all(Array.from({ length: context.settings.concurrency }, trackSome));
}

/** From when on accounting is to be read at this look; null when it was read less than a history interval ago. */
function historyDueSince({ clock, settings }: FlowContext, site: SiteRow): EpochSeconds | null {
  const now = clock.now();
  // A moment to come is a lie that was believed, or our own clock was set back: what has been read is not known.
  const since = site.historySince !== null && site.historySince <= now ? site.historySince : 0;
  return now - since >= settings.historyIntervalSeconds ? since : null;
}

/**
 * Reads and keeps what changes slowly, what its accounting has new. Accounting that is away keeps nobody from following
 * the queue.
 */
async function keepSlowly(
  context: FlowContext,
  adapter: SiteAdapter,
  site: SiteRow,
  snapshot: Snapshot,
  since: EpochSeconds,
): Promise<void> {
  const history = await readHistory(adapter, since);
  await context.database.transaction(async (tx) => {
    await saveRecords(tx, site.id, history?.records ?? []);
    await watch(context, tx, site, (state) => noteSnapshot(state, snapshot, history?.records));
    if (history) await saveHistorySince(tx, site.id, history.nextSince);
  });
}

/**
 * Whether facts are to be read at this look, for windows and queues change fast: once a minute where it is looked at as
 * often.
 */
function areFactsDue({ clock, settings }: FlowContext, { factsAt }: SiteRow): boolean {
  const now = clock.now();
  const since = factsAt !== null && factsAt <= now ? factsAt : 0;
  return now - since >= Math.min(FACTS_SECONDS, settings.historyIntervalSeconds);
}

/** Reads and keeps the site's facts. Promises that something new stands against get a turn. */
async function keepFacts({ clock, database }: FlowContext, adapter: SiteAdapter, site: SiteRow): Promise<void> {
  const facts = await adapter.facts();
  const now = clock.now();
  await database.transaction(async (tx) => {
    await saveSiteFacts(tx, site.id, facts, now);
    await wakeObstructed(tx, site, facts, now);
  });
}

const FACTS_SECONDS = 60;

async function readHistory(adapter: SiteAdapter, since: EpochSeconds): Promise<HistoryPage | null> {
  if (!adapter.capabilities.accounting) return null;
  try {
    return await adapter.history(since);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return null;
  }
}

/**
 * Jobs that have started since the snapshot before: their waits are known now, long before accounting mentions them.
 */
function newlyRunning(before: Snapshot | null, snapshot: Snapshot): JobRecord[] {
  const known = new Set(before?.running.map(({ nativeId, startAt }) => `${nativeId}@${startAt}`));
  return snapshot.running
    .filter(({ nativeId, startAt }) => !known.has(`${nativeId}@${startAt}`))
    .map(({ key: _key, ...job }) => ({ ...job, endAt: null, outcome: null }));
}
