import type { EpochSeconds } from '../../domain/clock.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { OrderedSample } from '../../stats/ordered-sample.ts';

/**
 * Values with the moments at which they became known, of which those of the last so many seconds count. Adding one is
 * O(log n) amortised.
 */
export class RecentShares {
  /** When the newest became known. */
  newestAt = Number.NEGATIVE_INFINITY;
  private readonly ordered = new OrderedSample();
  private shares: number[] = [];
  private knownAt: EpochSeconds[] = [];
  private oldest = 0;

  constructor(private readonly windowSeconds: number) {}

  add(share: number, at: EpochSeconds): void {
    this.moveOn(at);
    if (this.ordered.size === MOST_KEPT) this.forget(this.oldest + 1);
    this.shares.push(share);
    this.knownAt.push(at);
    this.ordered.insert(share);
    this.newestAt = Math.max(this.newestAt, at);
  }

  /** Nothing will be asked of a moment before `at` any more. */
  moveOn(at: EpochSeconds): void {
    this.forget(this.firstWithin(at));
  }

  /** What `look` sees of the values that count at that moment. Changes nothing. */
  within<Seen>(now: EpochSeconds, look: (sample: OrderedSample) => Seen): Seen {
    const stale = this.shares.slice(this.oldest, this.firstWithin(now));
    for (const share of stale) this.ordered.remove(share);
    const seen = look(this.ordered);
    for (const share of stale) this.ordered.insert(share);
    return seen;
  }

  private firstWithin(now: EpochSeconds): number {
    let first = this.oldest;
    while (first < this.knownAt.length && (this.knownAt[first] as number) <= now - this.windowSeconds) first++;
    return first;
  }

  private forget(until: number): void {
    for (; this.oldest < until; this.oldest++) this.ordered.remove(this.shares[this.oldest] as number);
    if (this.oldest * 2 <= this.shares.length) return;
    this.shares = this.shares.slice(this.oldest);
    this.knownAt = this.knownAt.slice(this.oldest);
    this.oldest = 0;
  }
}

const MOST_KEPT = 100_000;

keepClass(RecentShares);
