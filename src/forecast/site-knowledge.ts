import type { EndedRecord, StartedRecord } from '../domain/job.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { KnownBandwidth } from '../predict/io-ahead/known-bandwidth.ts';
import type { SiteListener } from '../predict/predictor.ts';
import { KnownPastSpan } from './known-past-span.ts';
import type { KnownPast } from './site-view.ts';
import { supposedShares, WalltimeUse } from './walltime-use.ts';

/** What is known of one site's past as a whole. */
export class SiteKnowledge implements SiteListener, KnownPast {
  private readonly span = new KnownPastSpan();
  private readonly use = new WalltimeUse();
  private readonly bandwidth = new KnownBandwidth();
  readonly knownWaitsByQueue = new Map<string, number>();
  knownWaits = 0;

  started({ submitAt, queue }: StartedRecord): void {
    this.span.add(submitAt);
    this.knownWaits++;
    if (queue === null) return;
    const before = this.knownWaitsByQueue.get(queue) ?? 0;
    if (before > 0 || this.knownWaitsByQueue.size < MOST_QUEUES) this.knownWaitsByQueue.set(queue, before + 1);
  }

  ended(record: EndedRecord): void {
    this.use.add(record);
    this.bandwidth.ended(record);
  }

  observed(state: Snapshot): void {
    this.span.add(state.observedAt);
  }

  get knownPastSeconds(): number {
    return this.span.seconds;
  }

  get burstBytesPerSecond(): number | null {
    return this.bandwidth.burstBytesPerSecond;
  }

  get walltimeShares(): readonly number[] {
    return this.use.shares;
  }

  /**
   * The same for jobs of our own.
   * @param ownShares what they use of their walltimes, wherever they run; null where that is to be supposed
   */
  forOwnJobs(ownShares: KnownPast['walltimeShares'] | null): KnownPast {
    const site = this;
    return {
      knownPastSeconds: site.knownPastSeconds,
      walltimeShares: ownShares ?? supposedShares(site.walltimeShares),
      knownWaitsByQueue: site.knownWaitsByQueue,
      get burstBytesPerSecond() {
        return site.burstBytesPerSecond;
      },
    };
  }
}

/** Names beyond that are not counted: logs that were imported may have any. */
const MOST_QUEUES = 1000;
