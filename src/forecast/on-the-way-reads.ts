import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';
import type { EpochSeconds } from '../domain/clock.ts';
import type { JobOnTheWay } from '../domain/snapshot.ts';
import type { AskedOnTheWay } from '../store/on-the-way.ts';

/**
 * Reads which of our own jobs are on their way to sites. One read is under way at a time, and all that is asked
 * meanwhile is in the next one: so every answer is as new as its question, and many questions cost few reads. A read
 * that does not end holds back the next one for a few seconds.
 */
export class OnTheWayReads {
  private underWay: Promise<unknown> = Promise.resolve();
  private readonly loader: DataLoader<AskedOnTheWay, readonly JobOnTheWay[]>;

  /**
   * @param read answers all that is asked, in its order
   * @param patienceMilliseconds for which a read holds back the next one
   */
  constructor(
    read: (asked: readonly AskedOnTheWay[]) => Promise<JobOnTheWay[][]>,
    patienceMilliseconds = PATIENCE_MILLISECONDS,
  ) {
    this.loader = new DataLoader(
      (asked) => {
        const answers = this.readOnce(asked, read);
        const patience = sleep(patienceMilliseconds, undefined, { ref: false });
        this.underWay = Promise.race([answers.catch(() => undefined), patience]);
        return answers;
      },
      { cache: false, batchScheduleFn: (dispatch) => void this.underWay.then(dispatch) },
    );
  }

  /** Those of a site at a moment. One that is due within the second is on its way. */
  of(siteId: string, at: EpochSeconds): Promise<readonly JobOnTheWay[]> {
    return this.loader.load({ siteId, at: Math.ceil(at) });
  }

  private async readOnce(
    asked: readonly AskedOnTheWay[],
    read: (asked: readonly AskedOnTheWay[]) => Promise<JobOnTheWay[][]>,
  ): Promise<readonly JobOnTheWay[][]> {
    const nameOf = ({ siteId, at }: AskedOnTheWay) => `${siteId} ${at}`;
    const once = new Map(asked.map((one) => [nameOf(one), one]));
    const jobs = await read([...once.values()]);
    const found = new Map([...once.keys()].map((name, index) => [name, jobs[index] ?? []]));
    return asked.map((one) => found.get(nameOf(one)) ?? []);
  }
}

const PATIENCE_MILLISECONDS = 5000;
