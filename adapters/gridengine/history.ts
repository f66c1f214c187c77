import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { HistoryPage } from '../../src/domain/site-adapter.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { recordOf } from './accounting.ts';
import type { GridEngineCommands } from './commands.ts';

const HISTORY_PAGE_LINES = 20_000;

/** What accounting tells of the jobs that ended since then, read from `overlapSeconds` before. */
export async function readHistory(
  commands: GridEngineCommands,
  overlapSeconds: number,
  since: EpochSeconds,
): Promise<HistoryPage> {
  const askedAt = presentMoment();
  const { entries, isWhole } = await commands.readAccounting({
    endedSince: since,
    overlapSeconds,
    maxLines: HISTORY_PAGE_LINES,
  });
  const latestEndAt = entries.reduce((latest, { endAt }) => Math.max(latest, endAt ?? 0), since);
  const records = entries.map(recordOf).filter((record) => record !== null);
  return { records, nextSince: isWhole ? Math.max(since, askedAt) : latestEndAt };
}
