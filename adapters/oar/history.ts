import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { HistoryPage } from '../../src/domain/site-adapter.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { OarCommands } from './commands.ts';
import { endOf, recordOf } from './native-jobs.ts';

const HISTORY_PAGE_JOBS = 2000;

/** What the jobs that ended since then were, read from `overlapSeconds` before. */
export async function readHistory(
  commands: OarCommands,
  overlapSeconds: number,
  since: EpochSeconds,
): Promise<HistoryPage> {
  const askedAt = presentMoment();
  const endedSince = since - overlapSeconds;
  for (let most = HISTORY_PAGE_JOBS; ; most *= 2) {
    const jobs = await commands.describeJobs({ endedSince, most });
    const ends = jobs.map(endOf);
    const latestEndAt = Math.max(since, ...ends);
    const isWhole = jobs.length < most;
    // A page that is full of what was seen before leads nowhere.
    if (!isWhole && latestEndAt <= since) continue;
    return { records: jobs.map(recordOf), nextSince: isWhole ? Math.max(since, askedAt) : latestEndAt };
  }
}
