import { keepClass } from '../domain/kept-classes.ts';
import { OrderedSample } from './ordered-sample.ts';
import { RecentValues } from './recent-values.ts';

/**
 * The most recent values of a series, in the order of time and in the order of size at once. Adding a value to a full
 * sample lets go of the oldest.
 */
export class SlidingSample {
  private readonly recent: RecentValues;
  private readonly ordered = new OrderedSample();

  /** @param capacity how many values are kept, at least 1 */
  constructor(readonly capacity: number) {
    this.recent = new RecentValues(capacity);
  }

  get size(): number {
    return this.ordered.size;
  }

  add(value: number): void {
    const dropped = this.recent.add(value);
    if (dropped !== null) this.ordered.remove(dropped);
    this.ordered.insert(value);
  }

  /** Forgets all but the most recent `length` values. */
  trimTo(length: number): void {
    if (length >= this.size) return;
    const kept = this.mostRecent(length);
    this.ordered.clear();
    this.recent.clear();
    for (const value of kept) this.add(value);
  }

  /** The last `length` values, or all if there are fewer, oldest first. */
  mostRecent(length: number): Float64Array {
    return this.recent.newest(length);
  }

  /** The value of rank `rank`, counted from 1 for the smallest. */
  at(rank: number): number {
    return this.ordered.at(rank);
  }

  /** The values of several ranks, which must not decrease; a null rank gives `Infinity`. */
  atAll(ranks: readonly (number | null)[]): number[] {
    return this.ordered.atAll(ranks);
  }
}

keepClass(SlidingSample);
