import { keepClass } from '../../../domain/kept-classes.ts';
import { partitionPoint } from '../../../domain/partition-point.ts';

/** How many errors make the spread of a forecast: those nearest to it. */
export interface NearestErrors {
  /** Of the errors that are kept, from 0 to 1. */
  readonly share: number;
  /** So many in any case, or all where fewer are kept. */
  readonly fewest: number;
}

/**
 * How far the model's recent forecasts were off, in square roots of waits, ordered by what was forecast: the spread of
 * a forecast is that of the errors of those nearest to it. O(log n) but for moving array entries.
 */
export class RootErrors {
  private readonly forecasts: Float64Array;
  private readonly errors: Float64Array;
  private readonly oldest: number[] = [];
  private count = 0;

  constructor(
    private readonly capacity: number,
    private readonly wanted: NearestErrors,
  ) {
    this.forecasts = new Float64Array(capacity);
    this.errors = new Float64Array(capacity);
  }

  /** Adds a forecast and what came; the oldest one goes when the memory is full. */
  learn(forecastRoot: number, waitRoot: number): void {
    if (this.count === this.capacity) this.remove(this.oldest.shift() as number);
    const at = this.lowerBound(forecastRoot);
    this.forecasts.copyWithin(at + 1, at, this.count);
    this.errors.copyWithin(at + 1, at, this.count);
    this.forecasts[at] = forecastRoot;
    this.errors[at] = waitRoot - forecastRoot;
    this.oldest.push(forecastRoot);
    this.count++;
  }

  /** The errors of the nearest forecasts, rising; fewer only when there are fewer. */
  nearest(forecastRoot: number): Float64Array {
    let low = this.lowerBound(forecastRoot);
    let high = low;
    const { share, fewest } = this.wanted;
    const neighbours = Math.min(this.count, Math.max(fewest, Math.ceil(share * this.count)));
    while (high - low < neighbours) {
      const below = low > 0 ? forecastRoot - (this.forecasts[low - 1] as number) : Number.POSITIVE_INFINITY;
      const above = high < this.count ? (this.forecasts[high] as number) - forecastRoot : Number.POSITIVE_INFINITY;
      if (below <= above) low--;
      else high++;
    }
    return this.errors.slice(low, high).sort();
  }

  private remove(forecastRoot: number): void {
    const at = this.lowerBound(forecastRoot);
    this.forecasts.copyWithin(at, at + 1, this.count);
    this.errors.copyWithin(at, at + 1, this.count);
    this.count--;
  }

  private lowerBound(forecastRoot: number): number {
    return partitionPoint(this.count, (index) => (this.forecasts[index] as number) < forecastRoot);
  }
}

keepClass(RootErrors);
