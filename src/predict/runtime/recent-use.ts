import type { EpochSeconds } from '../../domain/clock.ts';
import { NOTHING_KNOWN, type RuntimeForecast, withinPercentiles } from '../../domain/forecast.ts';
import { type EndedRecord, hasCompleted, hasRun, type JobRequest, ranSeconds } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';
import { UsedWalltimes } from './used-walltimes.ts';

/**
 * A job runs as long as its like ran lately: jobs of the same user, size and walltime, else of the user, else of the
 * site. Its spread is that of the last ratios of actual to expected runtimes. `predict` is O(percentiles), `ended`
 * O(log n).
 */
export class RecentUse implements RuntimePredictor {
  readonly name = 'runtime/recent-use';
  readonly version = '2';
  private readonly memory = new UsedWalltimes();
  private readonly ratios = new SlidingSample(RATIOS_KEPT);
  private ratioPercentiles: readonly number[] | null = null;

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const expected = this.memory.expectedSeconds(job);
    const quantileSeconds = this.ratios.size === 0 ? NOTHING_KNOWN : this.percentilesOf(expected, job);
    const point = this.ratios.size === 0 ? Number.POSITIVE_INFINITY : expected;
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: this.ratios.size,
      pointSeconds: withinPercentiles(point, quantileSeconds),
      quantileSeconds,
    };
  }

  ended(record: EndedRecord): void {
    if (!hasCompleted(record) || !hasRun(record)) return;
    const seconds = ranSeconds(record);
    this.ratios.add(seconds / Math.max(1, this.memory.expectedSeconds(record)));
    this.ratioPercentiles = null;
    this.memory.learn(record, seconds);
  }

  /** None above the walltime, at which the site ends the job. */
  private percentilesOf(expected: number, { requestedWalltimeSeconds }: JobRequest): number[] {
    this.ratioPercentiles ??= this.ratios.atAll(percentileRanks(this.ratios.size, UNBIASED));
    const longest = requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY;
    return this.ratioPercentiles.map((ratio) => Math.min(longest, ratio * Math.max(1, expected)));
  }
}

const RATIOS_KEPT = 2000;
