import type { JobRecord } from '../../../domain/job.ts';
import { withParts } from '../../../domain/site-part.ts';
import type { RunningJob, Snapshot } from '../../../domain/snapshot.ts';
import { noteSnapshot } from '../../../predict/down-time.ts';
import { saveRecords } from '../../../store/records.ts';
import { resourceFactsOf } from '../../../store/site-resources.ts';
import { readLastLook, type SiteRow, saveSiteFacts, saveSnapshot } from '../../../store/sites.ts';
import type { Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import type { KnownFacts } from './facts.ts';
import { watchDownTime } from './watch-down-time.ts';

/**
 * Keeps what the queue shows. A look that is to read accounting too reaches the down-time detector when that has
 * spoken.
 */
export async function keepSnapshot(
  context: FlowContext,
  turn: Turn,
  site: SiteRow,
  { snapshot, facts, isAllOfTheLook }: { snapshot: Snapshot; facts: KnownFacts | null; isAllOfTheLook: boolean },
): Promise<void> {
  const before = await readLastLook(context.database.db, site.id);
  await context.database.transaction(async (tx) => {
    // Records before the site's row, in the order in which an import locks them too.
    await saveRecords(tx, site.id, newlyRunning(before.running, snapshot));
    await saveSnapshot(tx, turn, withParts(snapshot, facts?.nodeShapes ?? resourceFactsOf(site).nodeShapes));
    if (facts) await saveSiteFacts(tx, site.id, facts, context.clock.now());
    if (isAllOfTheLook) await watchDownTime(context, tx, site, (state) => noteSnapshot(state, snapshot), before);
  });
}

/**
 * Jobs that have started since the snapshot before: their waits are known now, long before accounting mentions them.
 */
function newlyRunning(before: readonly RunningJob[], snapshot: Snapshot): JobRecord[] {
  const known = new Set(before.map(({ nativeId, startAt }) => `${nativeId}@${startAt}`));
  return snapshot.running
    .filter(({ nativeId, startAt }) => !known.has(`${nativeId}@${startAt}`))
    .map(({ key: _key, ...job }) => ({ ...job, endAt: null, outcome: null }));
}
