import { keepClass } from '../domain/kept-classes.ts';

/** The most recent values of a series, in the order of time. */
export class RecentValues {
  /** Shorter than the capacity until that many are known; until then the oldest is the first. */
  private ring: Float64Array | Float32Array;
  private oldest = 0;
  private count = 0;

  /**
   * @param capacity how many values are kept, at least 1
   * @param isRounded whether seven digits of each are enough, which take half as much memory
   */
  constructor(
    readonly capacity: number,
    private readonly isRounded = false,
  ) {
    this.ring = this.listOf(Math.min(capacity, FIRST_LENGTH));
  }

  get size(): number {
    return this.count;
  }

  /** Adds a value. @returns the oldest, which had to go for it; null where none had */
  add(value: number): number | null {
    const isFull = this.count === this.capacity;
    if (!isFull && this.count === this.ring.length) this.lengthen();
    const dropped = isFull ? (this.ring[this.oldest] as number) : null;
    if (isFull) this.oldest = (this.oldest + 1) % this.ring.length;
    else this.count++;
    this.ring[(this.oldest + this.count - 1) % this.ring.length] = value;
    return dropped;
  }

  clear(): void {
    [this.oldest, this.count] = [0, 0];
  }

  /** The last `length` values, or all if there are fewer, oldest first. */
  newest(length = this.count): Float64Array {
    const count = Math.min(length, this.count);
    const first = this.oldest + this.count - count;
    return Float64Array.from({ length: count }, (_, i) => this.ring[(first + i) % this.ring.length] as number);
  }

  private lengthen(): void {
    const longer = this.listOf(Math.min(this.capacity, 2 * this.ring.length));
    longer.set(this.ring);
    this.ring = longer;
  }

  private listOf(length: number): Float64Array | Float32Array {
    return this.isRounded ? new Float32Array(length) : new Float64Array(length);
  }
}

const FIRST_LENGTH = 16;

keepClass(RecentValues);
