import type { EpochSeconds } from '../../../domain/clock.ts';
import { SiteFailure } from '../../../domain/failures.ts';
import type { HistoryPage, SiteAdapter } from '../../../domain/site-adapter.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { noteSnapshot } from '../../../predict/down-time.ts';
import { saveRecords } from '../../../store/records.ts';
import { type SiteRow, saveHistorySince } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import { scoreLateUse } from '../learn/late-use.ts';
import { watchDownTime } from './watch-down-time.ts';

/** From when on accounting is to be read at this look; null when it was read less than a history interval ago. */
export function historyDueSince({ clock, settings }: FlowContext, site: SiteRow): EpochSeconds | null {
  const now = clock.now();
  // A moment to come is a lie that was believed, or our own clock was set back: what has been read is not known.
  const since = site.historySince !== null && site.historySince <= now ? site.historySince : 0;
  return now - since >= settings.historyIntervalSeconds ? since : null;
}

/** Reads and keeps what accounting has new. Accounting that is away keeps nobody from following the queue. */
export async function keepAccounting(
  context: FlowContext,
  adapter: SiteAdapter,
  site: SiteRow,
  snapshot: Snapshot,
  since: EpochSeconds,
): Promise<void> {
  const history = await readHistory(adapter, since);
  await context.database.transaction(async (tx) => {
    await saveRecords(tx, site.id, history?.records ?? []);
    await scoreLateUse(tx, site.id, history?.records ?? [], context.clock.now());
    await watchDownTime(context, tx, site, (state) => noteSnapshot(state, snapshot, history?.records));
    if (history) await saveHistorySince(tx, site.id, history.nextSince);
  });
}

async function readHistory(adapter: SiteAdapter, since: EpochSeconds): Promise<HistoryPage | null> {
  if (!adapter.capabilities.accounting) return null;
  try {
    return await adapter.history(since);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return null;
  }
}
