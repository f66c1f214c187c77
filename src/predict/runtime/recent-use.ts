import type { EpochSeconds } from '../../domain/clock.ts';
import { NOTHING_KNOWN, type RuntimeForecast, withinPercentiles } from '../../domain/forecast.ts';
import { type EndedRecord, hasCompleted, hasRun, type JobRequest, ranSeconds, requestOf } from '../../domain/job.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';
import { UsedWalltimes } from './used-walltimes.ts';

/**
 * A job runs as long as its like ran lately: jobs of the same user, size and walltime, else of the user, else of the
 * site. Its spread is that of the last ratios of actual to expected runtimes. A job whose walltime nobody requests is
 * compared with all jobs, whatever they requested. `predict` is O(percentiles), `ended` O(log n).
 */
export class RecentUse implements RuntimePredictor {
  readonly name = 'runtime/recent-use';
  readonly version = '3';
  private readonly requested = new RecentRatios();
  private readonly unrequested = new RecentRatios();

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const made = { predictor: this.name, version: this.version, madeAt: now };
    return { ...made, ...(job.requestedWalltimeSeconds ? this.requested : this.unrequested).spreadOf(job) };
  }

  ended(record: EndedRecord): void {
    if (!hasCompleted(record) || !hasRun(record)) return;
    const seconds = ranSeconds(record);
    if (record.requestedWalltimeSeconds) this.requested.learn(record, seconds);
    this.unrequested.learn({ ...requestOf(record), requestedWalltimeSeconds: null }, seconds);
  }
}

/** How jobs ran beside what was expected of them. */
class RecentRatios {
  private readonly memory = new UsedWalltimes();
  private readonly ratios = new SlidingSample(RATIOS_KEPT);
  private ratioPercentiles: readonly number[] | null = null;

  spreadOf(job: JobRequest): Pick<RuntimeForecast, 'sampleSize' | 'pointSeconds' | 'quantileSeconds'> {
    const sampleSize = this.ratios.size;
    if (sampleSize === 0) return { sampleSize, pointSeconds: Number.POSITIVE_INFINITY, quantileSeconds: NOTHING_KNOWN };
    const expected = this.memory.expectedSeconds(job);
    const quantileSeconds = this.percentilesOf(expected, job);
    return { sampleSize, pointSeconds: withinPercentiles(expected, quantileSeconds), quantileSeconds };
  }

  learn(job: JobRequest, seconds: number): void {
    this.ratios.add(seconds / Math.max(1, this.memory.expectedSeconds(job)));
    this.ratioPercentiles = null;
    this.memory.learn(job, seconds);
  }

  /** None above the walltime, at which the site ends the job. */
  private percentilesOf(expected: number, { requestedWalltimeSeconds }: JobRequest): number[] {
    this.ratioPercentiles ??= this.ratios.atAll(percentileRanks(this.ratios.size, UNBIASED));
    const longest = requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY;
    return this.ratioPercentiles.map((ratio) => Math.min(longest, ratio * Math.max(1, expected)));
  }
}

const RATIOS_KEPT = 2000;

keepClass(RecentRatios);
