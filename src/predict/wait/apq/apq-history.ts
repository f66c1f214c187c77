import { keepClass } from '../../../domain/kept-classes.ts';
import { chiSquareDistance } from '../../../stats/chi-square-distance.ts';
import { type RidgeModel, ridgeRegression } from '../../../stats/ridge-regression.ts';
import { correlationOfRanks, ranks } from '../../../stats/spearman.ts';
import type { ApqNeighbour } from './apq-models.ts';
import { type ApqTarget, FEATURE_COUNT, HISTOGRAM_COUNT } from './apq-state.ts';

/** Which statistics of the state are compared: sums of features, or distributions. */
export const APQ_STATISTICS = ['summary', 'distribution'] as const;
export type ApqStatistics = (typeof APQ_STATISTICS)[number];

/** Largest chi-square distance of two histograms. */
const LARGEST_CHI_SQUARE = 2;

/** The most recent jobs with known waits in typed columns, and their distances to a target. */
export class ApqHistory {
  private readonly features: Float64Array;
  private readonly histograms: Float32Array;
  private readonly waits: Float64Array;
  private featureWeights = new Float64Array(FEATURE_COUNT).fill(1);
  private histogramWeights = new Float64Array(HISTOGRAM_COUNT).fill(1);
  private inverseRanges = new Float64Array(FEATURE_COUNT);
  private next = 0;
  private count = 0;

  /** @param bins of each histogram; 0 keeps none, and then only `summary` can be compared */
  constructor(
    readonly capacity: number,
    private readonly bins: number,
  ) {
    this.features = new Float64Array(capacity * FEATURE_COUNT);
    this.histograms = new Float32Array(capacity * HISTOGRAM_COUNT * bins);
    this.waits = new Float64Array(capacity);
  }

  get size(): number {
    return this.count;
  }

  /** Adds a job; the oldest one goes when the history is full. */
  add(target: ApqTarget, waitSeconds: number): void {
    this.features.set(target.features, this.next * FEATURE_COUNT);
    this.histograms.set(target.histograms, this.next * HISTOGRAM_COUNT * this.bins);
    this.waits[this.next] = waitSeconds;
    this.next = (this.next + 1) % this.capacity;
    this.count = Math.min(this.count + 1, this.capacity);
  }

  /**
   * Recomputes the features' ranges and the weights: |Spearman's correlation| of each feature, or norm of a histogram,
   * with the wait. O(n log n).
   */
  reweigh(): void {
    const waitRanks = ranks(this.waits.subarray(0, this.count));
    const weightOf = (columnAt: (row: number) => number) =>
      Math.abs(
        correlationOfRanks(ranks(Float64Array.from({ length: this.count }, (_, row) => columnAt(row))), waitRanks),
      );
    for (let i = 0; i < FEATURE_COUNT; i++) {
      this.featureWeights[i] = weightOf((row) => this.features[row * FEATURE_COUNT + i] as number);
      this.inverseRanges[i] = this.inverseRangeOf(i);
    }
    if (this.bins === 0) return;
    for (let h = 0; h < HISTOGRAM_COUNT; h++) this.histogramWeights[h] = weightOf((row) => this.normOf(row, h));
  }

  /** Distance of every job of the history to a target, each within [0, 1]: equations 2 and 4. O(n). */
  distancesTo(target: ApqTarget, statistics: ApqStatistics): Float64Array {
    return statistics === 'summary' ? this.summaryDistances(target) : this.distributionDistances(target);
  }

  /**
   * Past jobs nearest first: at least `atLeast` of them, and beyond these all within `reach`, but no more than
   * `atMost`.
   * @param distances of `distancesTo`
   */
  nearest(distances: Float64Array, reach: number, atLeast: number, atMost: number): ApqNeighbour[] {
    // Distance and row in one number sort without a comparison function; a distance keeps 32 bits.
    const keys = distances.map((distance, row) => Math.round(distance * DISTANCE_STEPS) * ROWS + row).sort();
    const found: ApqNeighbour[] = [];
    for (let i = 0; i < Math.min(keys.length, atMost); i++) {
      const row = (keys[i] as number) % ROWS;
      const distance = distances[row] as number;
      if (distance > reach && i >= atLeast) break;
      found.push({ row, distance, waitSeconds: this.waits[row] as number });
    }
    return found;
  }

  /** Ridge regression of the wait on the features of some jobs. */
  regressionOver(neighbours: readonly ApqNeighbour[], penalty: number): RidgeModel {
    const rows = new Float64Array(neighbours.length * FEATURE_COUNT);
    neighbours.forEach(({ row }, i) => {
      rows.set(this.features.subarray(row * FEATURE_COUNT, (row + 1) * FEATURE_COUNT), i * FEATURE_COUNT);
    });
    const waits = Float64Array.from(neighbours, ({ waitSeconds }) => waitSeconds);
    return ridgeRegression(rows, waits, penalty);
  }

  private summaryDistances({ features }: ApqTarget): Float64Array {
    const distances = new Float64Array(this.count);
    const total = sumOf(this.featureWeights) || 1;
    for (let row = 0; row < this.count; row++) {
      distances[row] = this.featureDistance(row, features, FEATURE_COUNT) / total;
    }
    return distances;
  }

  private distributionDistances({ features, histograms }: ApqTarget): Float64Array {
    const distances = new Float64Array(this.count);
    const [sizeWeight = 0, walltimeWeight = 0] = this.featureWeights;
    const total = sumOf(this.histogramWeights) + sizeWeight + walltimeWeight || 1;
    for (let row = 0; row < this.count; row++) {
      let distance = this.featureDistance(row, features, 2);
      for (let h = 0; h < HISTOGRAM_COUNT; h++) {
        const offset = h * this.bins;
        const at = row * HISTOGRAM_COUNT * this.bins + offset;
        const chi = chiSquareDistance(histograms, offset, this.histograms, at, this.bins);
        distance += ((this.histogramWeights[h] as number) * chi) / LARGEST_CHI_SQUARE;
      }
      distances[row] = distance / total;
    }
    return distances;
  }

  /** Weighted distance over the first features; the size is a name, not a number. */
  private featureDistance(row: number, target: Float64Array, count: number): number {
    const offset = row * FEATURE_COUNT;
    let distance = this.features[offset] === target[0] ? 0 : (this.featureWeights[0] as number);
    for (let i = 1; i < count; i++) {
      const difference = Math.abs((this.features[offset + i] as number) - (target[i] as number));
      distance += (this.featureWeights[i] as number) * Math.min(1, difference * (this.inverseRanges[i] as number));
    }
    return distance;
  }

  private inverseRangeOf(feature: number): number {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = 0; row < this.count; row++) {
      const value = this.features[row * FEATURE_COUNT + feature] as number;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high > low ? 1 / (high - low) : 0;
  }

  private normOf(row: number, histogram: number): number {
    const from = (row * HISTOGRAM_COUNT + histogram) * this.bins;
    let squares = 0;
    for (let i = from; i < from + this.bins; i++) squares += (this.histograms[i] as number) ** 2;
    return Math.sqrt(squares);
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

const DISTANCE_STEPS = 2 ** 32;
/** More rows than a history may have. */
const ROWS = 2 ** 20;

keepClass(ApqHistory);
