import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';
import type { EpochSeconds } from '../domain/clock.ts';
import type { ComingWork } from '../domain/snapshot.ts';
import type { AskedOnTheWay } from '../store/on-the-way.ts';

/**
 * Reads which work of our own is coming to sites. One read is under way at a time, and all that is asked
 * meanwhile is in the next one: so every answer is as new as its question, and many questions cost few reads. A read
 * that does not end holds back the next one for a few seconds.
 */
export class ComingWorkReads {
  private underWay: Promise<unknown> = Promise.resolve();
  private readonly loader: DataLoader<AskedOnTheWay, ComingWork, string>;

  /**
   * @param read answers all that is asked, in its order
   * @param patienceMilliseconds for which a read holds back the next one
   */
  constructor(
    read: (asked: readonly AskedOnTheWay[]) => Promise<ComingWork[]>,
    patienceMilliseconds = PATIENCE_MILLISECONDS,
  ) {
    this.loader = new DataLoader(
      (asked) => {
        // Who asks from now on is not in this read.
        this.loader.clearAll();
        const answers = read(asked);
        const patience = sleep(patienceMilliseconds, undefined, { ref: false });
        this.underWay = Promise.race([answers.catch(() => undefined), patience]);
        return answers;
      },
      {
        cacheKeyFn: ({ siteId, at }) => `${siteId} ${at}`,
        batchScheduleFn: (dispatch) => void this.underWay.then(dispatch),
      },
    );
  }

  /** That of a site at a moment. What is due within the second is on its way. */
  of(siteId: string, at: EpochSeconds): Promise<ComingWork> {
    return this.loader.load({ siteId, at: Math.ceil(at) });
  }
}

const PATIENCE_MILLISECONDS = 5000;
