import type { EpochSeconds } from '../../domain/clock.ts';
import { NOTHING_KNOWN, QUANTILE_COUNT, type RuntimeForecast, withinPercentiles } from '../../domain/forecast.ts';
import type { EndedRecord, JobRequest, SubmittedJob } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { OrderedSample } from '../../stats/ordered-sample.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';
import { LikeJobsShares, type Likeness } from './like-jobs-shares.ts';
import { requestedSeconds } from './used-share.ts';

/** A scheme of adjustment. */
export interface AdjustmentScheme extends Likeness {
  /** Which percentile of the shares that a job's like used its walltime is multiplied by: 1 to 100. */
  readonly percentile: number;
  /** With fewer like jobs a walltime stays as it is. */
  readonly leastJobs: number;
  /** No walltime is multiplied by less. */
  readonly leastShare: number;
}

/** The scheme that the paper recommends. */
export const ADJUSTMENT_DEFAULTS: AdjustmentScheme = {
  key: 'user+project+walltime',
  window: '1',
  percentile: 85,
  leastJobs: 10,
  leastShare: 0.5,
};

/**
 * A job runs the share of its walltime that its like ran lately. The percentiles are those of these shares; the point
 * is the walltime to schedule it with (`adjustedSeconds`), drawn to the percentiles. A job is never to be killed at it.
 * `predict` is O(percentiles), `ended` O(log n) amortised.
 * Source: Tang et al. 2013, JPDC 73(7), section 4.
 */
export class AdjustedWalltime implements RuntimePredictor {
  readonly name = 'runtime/adjusted-walltime';
  readonly version = '1';
  private readonly shares: LikeJobsShares;

  constructor(private readonly scheme: AdjustmentScheme = ADJUSTMENT_DEFAULTS) {
    this.shares = new LikeJobsShares(scheme);
  }

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const made = { predictor: this.name, version: this.version, madeAt: now };
    const requested = requestedSeconds(job);
    if (requested === null) {
      return { ...made, sampleSize: 0, pointSeconds: Number.POSITIVE_INFINITY, quantileSeconds: NOTHING_KNOWN };
    }
    const known = this.seen(job, now, (sample) => ({
      sampleSize: sample.size,
      pointSeconds: requested * this.adjustment(sample),
      quantileSeconds: sample
        .atAll(percentileRanks(sample.size, UNBIASED))
        .map((share) => Math.min(requested, requested * share)),
    }));
    if (known) return { ...made, ...known, pointSeconds: withinPercentiles(known.pointSeconds, known.quantileSeconds) };
    const quantileSeconds = new Array<number>(QUANTILE_COUNT).fill(requested);
    return { ...made, sampleSize: 0, pointSeconds: requested, quantileSeconds };
  }

  /** The walltime to schedule a job with; null where it stays as it is for want of like jobs. */
  adjustedSeconds(job: JobRequest, now: EpochSeconds): number | null {
    const requested = requestedSeconds(job);
    const share = this.seen(job, now, (sample) => this.adjustment(sample));
    return requested === null || share === null ? null : requested * share;
  }

  submitted(job: SubmittedJob): void {
    this.shares.moveOn(job, job.submitAt);
  }

  ended(record: EndedRecord): void {
    this.shares.learn(record);
  }

  private seen<Seen>(job: JobRequest, now: EpochSeconds, look: (sample: OrderedSample) => Seen): Seen | null {
    return this.shares.of(job, now, (sample) => (sample.size < this.scheme.leastJobs ? null : look(sample)));
  }

  private adjustment(sample: OrderedSample): number {
    return Math.max(this.scheme.leastShare, sample.at(rankOf(this.scheme.percentile, sample.size)));
  }
}

/** Rank, from 1, of a percentile among so many values: the smallest value that so many percent do not exceed. */
export function rankOf(percentile: number, size: number): number {
  return Math.min(size, Math.max(1, Math.ceil((percentile / 100) * size - 1e-9)));
}
