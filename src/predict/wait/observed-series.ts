import type { EpochSeconds } from '../../domain/clock.ts';
import { partitionPoint } from '../../domain/partition-point.ts';

/** How much is kept. */
export interface ObservedSeriesOptions {
  readonly leastApartSeconds: number;
  readonly mostKept: number;
}

/** What was seen of a site at past moments, for as long as jobs may have waited. */
export class ObservedSeries<T extends { readonly observedAt: EpochSeconds }> {
  private seen: T[] = [];

  constructor(private readonly options: ObservedSeriesOptions) {}

  /** Adds what was seen, or leaves it out when it is hardly newer than the newest. */
  add(one: T): void {
    const newest = this.seen.at(-1);
    if (newest && one.observedAt < newest.observedAt + this.options.leastApartSeconds) return;
    this.seen.push(one);
    const { mostKept } = this.options;
    if (this.seen.length > MOST_OVER * mostKept) this.seen = this.seen.slice(-mostKept);
  }

  /** The newest seen at or before a moment; undefined when there is none that was still fresh then. O(log n). */
  newestUpTo(at: EpochSeconds): T | undefined {
    const one = this.seen[partitionPoint(this.seen.length, (index) => (this.seen[index] as T).observedAt <= at) - 1];
    return one && at - one.observedAt <= FRESH_SECONDS ? one : undefined;
  }
}

const FRESH_SECONDS = 1200;
/** How many more are held, so that they need not be copied each time. */
const MOST_OVER = 1.25;
