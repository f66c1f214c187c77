import type { EpochSeconds } from '../../domain/clock.ts';
import type { RuntimeForecast } from '../../domain/forecast.ts';
import {
  type EndedRecord,
  hasRun,
  type JobRequest,
  ranSeconds,
  type StartedRecord,
  type SubmittedJob,
} from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { Predictor, RuntimePredictor } from '../../predict/predictor.ts';
import { likeName } from '../../predict/runtime/like-name.ts';

/** Runtimes of the job's like that were known at its submission. */
export interface LikeJobs {
  readonly count: number;
  readonly leastSeconds: number;
  readonly mostSeconds: number;
  /** Mean absolute error of the points forecast of those that were asked about; null when none was. */
  readonly meanErrorSeconds: number | null;
}

/** A forecast with what was known of the job's like. */
export interface WatchedForecast {
  readonly runtime: RuntimeForecast;
  readonly like: LikeJobs;
}

/**
 * A runtime predictor with what its forecasts of ranges are measured by: the range from the shortest to the longest
 * runtime of the same user, size and queue, which is the baseline of hariharan-end-to-end-predictions, section VI-B.
 */
export class WatchedRanges implements Predictor<JobRequest, WatchedForecast> {
  readonly name: string;
  readonly version: string;
  readonly observed?: (state: Snapshot) => void;
  private readonly like = new Map<string, LikeJobs & { readonly errors: number; readonly errorSeconds: number }>();

  constructor(private readonly inner: RuntimePredictor) {
    this.name = inner.name;
    this.version = inner.version;
    if (inner.observed) this.observed = (state) => inner.observed?.(state);
  }

  predict(job: JobRequest, state: Snapshot | null, now: EpochSeconds): WatchedForecast {
    const runtime = this.inner.predict(job, state, now);
    const ranges = runtime.ranges ?? this.inner.runtimeRanges?.(job, now);
    return { runtime: ranges ? { ...runtime, ranges } : runtime, like: this.like.get(likeName(job)) ?? NONE };
  }

  submitted(job: SubmittedJob): void {
    this.inner.submitted?.(job);
  }

  started(record: StartedRecord): void {
    this.inner.started?.(record);
  }

  ended(record: EndedRecord): void {
    this.inner.ended?.(record);
    if (!hasRun(record)) return;
    const seconds = ranSeconds(record);
    const before = this.like.get(likeName(record)) ?? NONE;
    this.like.set(likeName(record), {
      ...before,
      count: before.count + 1,
      leastSeconds: Math.min(before.leastSeconds, seconds),
      mostSeconds: Math.max(before.mostSeconds, seconds),
    });
  }

  /** Takes in how far the point forecast of a job was off, once that is known. */
  erred(job: JobRequest, seconds: number): void {
    const before = this.like.get(likeName(job)) ?? NONE;
    const [errors, errorSeconds] = [before.errors + 1, before.errorSeconds + seconds];
    this.like.set(likeName(job), { ...before, errors, errorSeconds, meanErrorSeconds: errorSeconds / errors });
  }
}

const NONE = {
  count: 0,
  leastSeconds: Number.POSITIVE_INFINITY,
  mostSeconds: 0,
  meanErrorSeconds: null,
  errors: 0,
  errorSeconds: 0,
};
