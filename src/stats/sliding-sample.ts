import { keepClass } from '../domain/kept-classes.ts';
import { OrderedSample } from './ordered-sample.ts';

/**
 * The most recent values of a series, in the order of time and in the order of size at once. Adding a value to a full
 * sample lets go of the oldest.
 */
export class SlidingSample {
  /** Shorter than the capacity until that many are known; until then the oldest is the first. */
  private ring: Float64Array;
  private oldest = 0;
  private readonly ordered = new OrderedSample();

  /** @param capacity how many values are kept, at least 1 */
  constructor(readonly capacity: number) {
    this.ring = new Float64Array(Math.min(capacity, FIRST_LENGTH));
  }

  get size(): number {
    return this.ordered.size;
  }

  add(value: number): void {
    if (this.size === this.capacity) this.dropOldest();
    else if (this.size === this.ring.length) this.lengthen();
    this.ring[(this.oldest + this.size) % this.ring.length] = value;
    this.ordered.insert(value);
  }

  /** Forgets all but the most recent `length` values. */
  trimTo(length: number): void {
    if (length >= this.size) return;
    const kept = this.mostRecent(length);
    this.ordered.clear();
    this.oldest = 0;
    for (const value of kept) this.add(value);
  }

  /** The last `length` values, or all if there are fewer, oldest first. */
  mostRecent(length: number): Float64Array {
    const count = Math.min(length, this.size);
    const first = this.oldest + this.size - count;
    return Float64Array.from({ length: count }, (_, i) => this.ring[(first + i) % this.ring.length] as number);
  }

  /** The value of rank `rank`, counted from 1 for the smallest. */
  at(rank: number): number {
    return this.ordered.at(rank);
  }

  /** The values of several ranks, which must not decrease; a null rank gives `Infinity`. */
  atAll(ranks: readonly (number | null)[]): number[] {
    return this.ordered.atAll(ranks);
  }

  private lengthen(): void {
    const longer = new Float64Array(Math.min(this.capacity, 2 * this.ring.length));
    longer.set(this.ring);
    this.ring = longer;
  }

  private dropOldest(): void {
    this.ordered.remove(this.ring[this.oldest] as number);
    this.oldest = (this.oldest + 1) % this.ring.length;
  }
}

const FIRST_LENGTH = 16;

keepClass(SlidingSample);
