import type { EpochSeconds } from '../../domain/clock.ts';
import { NOTHING_KNOWN, type WaitForecast, type WaitQuery, withinPercentiles } from '../../domain/forecast.ts';
import { type StartedRecord, waitSeconds } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import { knownUpTo } from '../known-up-to.ts';
import type { WaitPredictor } from '../predictor.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';

/** How many waits, and errors, a baseline looks back on. */
export const BASELINE_CAPACITY = 6000;

/** Who asks, as far as a baseline cares. */
export interface PointQuery {
  readonly user: string | null;
}

/**
 * A baseline: a rule that gives a point, with the spread of its own recent errors around it. Percentile p of the
 * forecast is the point plus percentile p of actual minus point over the last 6,000 waits, not below 0.
 */
export abstract class PointPredictor implements WaitPredictor {
  abstract readonly name: string;
  readonly version = '2';
  private readonly errors = new SlidingSample(BASELINE_CAPACITY);
  private errorPercentiles: readonly number[] | null = null;
  private learned = 0;
  private newestStartAt: EpochSeconds | null = null;

  /** The rule's answer, in seconds; null when it has learned nothing. */
  protected abstract pointSeconds(query: PointQuery): number | null;

  /** Lets the rule take in one known wait. */
  protected abstract absorb(record: StartedRecord, waitSeconds: number): void;

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const point = this.pointSeconds(query);
    const quantileSeconds = point === null ? NOTHING_KNOWN : this.percentilesAround(point);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      observedAt: knownUpTo(this.newestStartAt, state, now),
      sampleSize: Math.min(this.learned, BASELINE_CAPACITY),
      pointSeconds: withinPercentiles(point ?? Number.POSITIVE_INFINITY, quantileSeconds),
      quantileSeconds,
    };
  }

  started(record: StartedRecord): void {
    const wait = Math.max(0, waitSeconds(record));
    const point = this.pointSeconds(record);
    if (point !== null) this.errors.add(wait - point);
    this.errorPercentiles = null;
    this.absorb(record, wait);
    this.learned++;
    this.newestStartAt = Math.max(this.newestStartAt ?? record.startAt, record.startAt);
  }

  private percentilesAround(point: number): readonly number[] {
    this.errorPercentiles ??= this.errors.atAll(percentileRanks(this.errors.size, UNBIASED));
    return this.errorPercentiles.map((error) => Math.max(0, point + error));
  }
}
