import { mean } from 'simple-statistics';
import type { RuntimeForecast, RuntimeRange } from '../../domain/forecast.ts';
import type { WatchedForecast } from './watched-ranges.ts';

/** How good forecast ranges of runtimes turned out: Table VI of hariharan-end-to-end-predictions. */
export interface RangeScore {
  /** Jobs whose like had run at two lengths at least, so that the baseline has a range. */
  readonly rangedJobs: number;
  /** Share of them whose runtime lay in a range. */
  readonly successRate: number;
  /** Mean of the total length of the ranges over that of the baseline's, in percent. */
  readonly coveragePercent: number;
}

/** Collects forecasts of ranges with the runtimes they came out as. */
export class RangeScorer {
  private successes = 0;
  private readonly coverages: number[] = [];

  add(forecast: WatchedForecast, seconds: number): void {
    const { leastSeconds, mostSeconds } = forecast.like;
    const ranges = rangesOf(forecast);
    if (ranges === null || !(mostSeconds > leastSeconds)) return;
    if (ranges.some(({ fromSeconds, toSeconds }) => fromSeconds <= seconds && seconds <= toSeconds)) this.successes++;
    const length = ranges.reduce((sum, { fromSeconds, toSeconds }) => sum + (toSeconds - fromSeconds), 0);
    this.coverages.push((100 * length) / (mostSeconds - leastSeconds));
  }

  /** The scores of everything added so far; null when there is none. */
  score(): RangeScore | null {
    const rangedJobs = this.coverages.length;
    if (rangedJobs === 0) return null;
    return { rangedJobs, successRate: this.successes / rangedJobs, coveragePercent: mean(this.coverages) };
  }
}

/**
 * The forecast's own ranges; of one that has a point only, the range around it that is as long as its points for the
 * job's like were off on average. The paper centres that on the actual runtime, which nobody knows.
 */
function rangesOf({ runtime, like }: WatchedForecast): readonly Span[] | null {
  if (runtime.ranges) return runtime.ranges;
  if (like.meanErrorSeconds === null || !Number.isFinite(runtime.pointSeconds)) return null;
  return [aroundPoint(runtime, like.meanErrorSeconds)];
}

type Span = Pick<RuntimeRange, 'fromSeconds' | 'toSeconds'>;

function aroundPoint({ pointSeconds }: RuntimeForecast, lengthSeconds: number): Span {
  return { fromSeconds: pointSeconds - lengthSeconds / 2, toSeconds: pointSeconds + lengthSeconds / 2 };
}
