import { keepClass } from '../../../domain/kept-classes.ts';
import { partitionPoint } from '../../../domain/partition-point.ts';

/** How many errors make the spread of a forecast: those nearest to it. */
export interface NearestErrors {
  /** Of the errors that are kept, from 0 to 1. */
  readonly share: number;
  /** So many in any case, or all where fewer are kept. */
  readonly fewest: number;
}

/** A forecast and how far it is off, in square roots of waits. */
export interface RootError {
  readonly forecastRoot: number;
  readonly error: number;
}

/**
 * How far the model's recent forecasts were off, in square roots of waits, ordered by what was forecast: the spread of
 * a forecast is that of the errors of those nearest to it. O(log n) but for moving array entries.
 *
 * The longest waits are known last. So jobs that still wait count, too, by errors that are told anew as they wait.
 */
export class RootErrors {
  private readonly forecasts: Float64Array;
  private readonly errors: Float64Array;
  private readonly oldest: number[] = [];
  private count = 0;
  /** Of jobs that still wait, by forecast, rising. */
  private waiting: readonly RootError[] = [];

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

  /** Takes in the errors of jobs that still wait, in place of those told before. */
  tellWaiting(errors: readonly RootError[]): void {
    this.waiting = [...errors].sort((a, b) => a.forecastRoot - b.forecastRoot);
  }

  /**
   * The errors of the nearest forecasts, fewer only when there are fewer, and those of jobs that still wait whose
   * forecasts are no further away; rising. None where nothing has been learned.
   */
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
    if (high === low) return new Float64Array();
    const lowest = forecastRoot - (this.forecasts[low] as number);
    const highest = (this.forecasts[high - 1] as number) - forecastRoot;
    const waiting = this.waitingWithin(forecastRoot, Math.max(lowest, highest));
    const errors = new Float64Array(high - low + waiting.length);
    errors.set(this.errors.subarray(low, high));
    waiting.forEach(({ error }, i) => {
      errors[high - low + i] = error;
    });
    return errors.sort();
  }

  private waitingWithin(forecastRoot: number, reach: number): readonly RootError[] {
    const first = this.firstWaiting((root) => root < forecastRoot - reach);
    const end = this.firstWaiting((root) => root <= forecastRoot + reach);
    return this.waiting.slice(first, end);
  }

  private firstWaiting(isBefore: (forecastRoot: number) => boolean): number {
    return partitionPoint(this.waiting.length, (index) => isBefore((this.waiting[index] as RootError).forecastRoot));
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
