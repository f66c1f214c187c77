import type { EpochSeconds } from '../../domain/clock.ts';
import { type BytesForecast, NOTHING_KNOWN, withinPercentiles } from '../../domain/forecast.ts';
import type { EndedRecord, JobRequest } from '../../domain/job.ts';
import type { IoBytes } from '../../domain/job-use.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import { knownBytes } from '../io/known-bytes.ts';
import type { BytesPredictor } from '../predictor.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';

/**
 * A baseline of bytes read or written: a rule that gives a point, with the spread of its own recent errors around it.
 * Percentile p is the point times percentile p of actual over expected bytes of the last 2,000 jobs, each a byte more,
 * for many jobs have none.
 */
export abstract class BytesRule implements BytesPredictor {
  abstract readonly name: string;
  readonly version: string = '1';
  private readonly ratios = new SlidingSample(RATIOS_KEPT);
  private ratioPercentiles: readonly number[] | null = null;

  /** @param which of the two is predicted */
  constructor(private readonly which: IoBytes) {}

  /** The rule's answer; null when it has none. */
  protected abstract pointBytes(job: JobRequest): number | null;

  /** Lets the rule take in what a job read, or wrote. */
  protected abstract absorb(job: JobRequest, bytes: number): void;

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): BytesForecast {
    const point = this.pointBytes(job);
    const quantileBytes = point === null || this.ratios.size === 0 ? NOTHING_KNOWN : this.percentilesAround(point);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: point === null ? 0 : this.ratios.size,
      pointBytes: withinPercentiles(point ?? Number.POSITIVE_INFINITY, quantileBytes),
      quantileBytes,
    };
  }

  ended(record: EndedRecord): void {
    const bytes = knownBytes(record, this.which);
    if (bytes === null) return;
    const point = this.pointBytes(record);
    if (point !== null) {
      this.ratios.add((bytes + 1) / (point + 1));
      this.ratioPercentiles = null;
    }
    this.absorb(record, bytes);
  }

  private percentilesAround(point: number): readonly number[] {
    this.ratioPercentiles ??= this.ratios.atAll(percentileRanks(this.ratios.size, UNBIASED));
    return this.ratioPercentiles.map((ratio) => Math.max(0, ratio * (point + 1) - 1));
  }
}

const RATIOS_KEPT = 2000;
