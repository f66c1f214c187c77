import type { EpochSeconds } from '../../domain/clock.ts';
import { NOTHING_KNOWN, type RuntimeForecast, withinPercentiles } from '../../domain/forecast.ts';
import { type EndedRecord, hasRun, type JobRequest, ranSeconds } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';

/**
 * A baseline of runtimes: a rule that gives a point, with the spread of its own recent errors around it. Percentile p
 * of the forecast is the point times percentile p of actual over expected runtimes of the last 2,000 jobs that ran,
 * whatever their outcome.
 */
export abstract class RuntimeRule implements RuntimePredictor {
  abstract readonly name: string;
  readonly version: string = '1';
  private readonly ratios = new SlidingSample(RATIOS_KEPT);
  private ratioPercentiles: readonly number[] | null = null;

  /** The rule's answer, in seconds; null when it has none. */
  abstract pointSeconds(job: JobRequest): number | null;

  /** Lets the rule take in how long a job ran. */
  protected abstract absorb(job: JobRequest, seconds: number): void;

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const point = this.pointSeconds(job);
    const quantileSeconds = point === null || this.ratios.size === 0 ? NOTHING_KNOWN : this.percentilesAround(point);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: point === null ? 0 : this.ratios.size,
      pointSeconds: withinPercentiles(point ?? Number.POSITIVE_INFINITY, quantileSeconds),
      quantileSeconds,
    };
  }

  ended(record: EndedRecord): void {
    if (!hasRun(record)) return;
    const seconds = ranSeconds(record);
    const point = this.pointSeconds(record);
    if (point !== null) {
      this.ratios.add(seconds / Math.max(1, point));
      this.ratioPercentiles = null;
    }
    this.absorb(record, seconds);
  }

  private percentilesAround(point: number): readonly number[] {
    this.ratioPercentiles ??= this.ratios.atAll(percentileRanks(this.ratios.size, UNBIASED));
    return this.ratioPercentiles.map((ratio) => ratio * Math.max(1, point));
  }
}

const RATIOS_KEPT = 2000;
