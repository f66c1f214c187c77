import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { HistoryPage } from '../../src/domain/site-adapter.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { SlurmAccounting } from './client.ts';
import type { HistoryWindow } from './history-window.ts';
import { hasEnded } from './slurm-job.ts';
import { asRecord } from './understand.ts';

/** Records of jobs that ended since the moment given; none where nothing remembers them. @throws Unavailable */
export async function readHistory(
  accounting: SlurmAccounting | null,
  historyWindow: HistoryWindow,
  since: EpochSeconds,
): Promise<HistoryPage> {
  if (!accounting) return { records: [], nextSince: since };
  return historyWindow.read(since, presentMoment(), async (window) => {
    const jobs = (await accounting.ended(window)).filter(hasEnded);
    return jobs.flatMap((job) => asRecord(job) ?? []);
  });
}
