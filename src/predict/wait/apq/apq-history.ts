import { chiSquareDistance } from '../../../stats/chi-square-distance.ts';
import { correlationOfRanks, ranks } from '../../../stats/spearman.ts';
import { FEATURE_COUNT, HISTOGRAM_BINS, HISTOGRAM_COUNT } from './apq-state.ts';

const HISTOGRAMS_LENGTH = HISTOGRAM_COUNT * HISTOGRAM_BINS;

/** A job at its submission. */
export interface ApqTarget {
  readonly features: Float64Array;
  readonly histograms: Float32Array;
}

/** Which statistics of the state are compared: sums of features, or distributions. */
export const APQ_STATISTICS = ['summary', 'distribution'] as const;
export type ApqStatistics = (typeof APQ_STATISTICS)[number];

/** The most recent jobs with known waits in typed columns, and their distances to a target. */
export class ApqHistory {
  readonly features: Float64Array;
  readonly waits: Float64Array;
  private readonly histograms: Float32Array;
  private featureWeights = new Float64Array(FEATURE_COUNT).fill(1);
  private histogramWeights = new Float64Array(HISTOGRAM_COUNT).fill(1);
  private inverseRanges = new Float64Array(FEATURE_COUNT);
  private next = 0;
  private count = 0;

  constructor(readonly capacity: number) {
    this.features = new Float64Array(capacity * FEATURE_COUNT);
    this.histograms = new Float32Array(capacity * HISTOGRAMS_LENGTH);
    this.waits = new Float64Array(capacity);
  }

  get size(): number {
    return this.count;
  }

  /** Adds a job; the oldest one goes when the history is full. */
  add(target: ApqTarget, waitSeconds: number): void {
    this.features.set(target.features, this.next * FEATURE_COUNT);
    this.histograms.set(target.histograms, this.next * HISTOGRAMS_LENGTH);
    this.waits[this.next] = waitSeconds;
    this.next = (this.next + 1) % this.capacity;
    this.count = Math.min(this.count + 1, this.capacity);
  }

  /** Recomputes the weights, |Spearman's correlation| of each feature, or norm of a histogram, with the wait, and the features' ranges. */
  reweigh(): void {
    const waitRanks = ranks(this.waits.subarray(0, this.count));
    const weightOf = (value: (row: number) => number) =>
      Math.abs(correlationOfRanks(ranks(Float64Array.from({ length: this.count }, (_, row) => value(row))), waitRanks));
    for (let i = 0; i < FEATURE_COUNT; i++) {
      this.featureWeights[i] = weightOf((row) => this.features[row * FEATURE_COUNT + i] as number);
      this.inverseRanges[i] = this.inverseRangeOf(i);
    }
    for (let h = 0; h < HISTOGRAM_COUNT; h++) this.histogramWeights[h] = weightOf((row) => this.normOf(row, h));
  }

  /** Distance of every job of the history to a target, each within [0, 1]: equations 2 and 4. O(n). */
  distancesTo(target: ApqTarget, statistics: ApqStatistics): Float64Array {
    return statistics === 'summary' ? this.summaryDistances(target) : this.distributionDistances(target);
  }

  private summaryDistances({ features }: ApqTarget): Float64Array {
    const distances = new Float64Array(this.count);
    const total = this.featureWeights.reduce((sum, weight) => sum + weight, 0) || 1;
    for (let row = 0; row < this.count; row++) {
      distances[row] = this.featureDistance(row, features, FEATURE_COUNT) / total;
    }
    return distances;
  }

  /** Each chi-square distance counts relative to the largest of the six. */
  private distributionDistances({ features, histograms }: ApqTarget): Float64Array {
    const distances = new Float64Array(this.count);
    const weights = this.histogramWeights;
    const [first = 0, second = 0] = this.featureWeights;
    const total = weights.reduce((sum, weight) => sum + weight, 0) + first + second || 1;
    const chi = new Float64Array(HISTOGRAM_COUNT);
    for (let row = 0; row < this.count; row++) {
      let largest = 0;
      for (let h = 0; h < HISTOGRAM_COUNT; h++) {
        const offset = h * HISTOGRAM_BINS;
        const at = row * HISTOGRAMS_LENGTH + offset;
        chi[h] = chiSquareDistance(histograms, offset, this.histograms, at, HISTOGRAM_BINS);
        largest = Math.max(largest, chi[h] as number);
      }
      let distance = this.featureDistance(row, features, 2);
      if (largest > 0)
        for (let h = 0; h < HISTOGRAM_COUNT; h++)
          distance += ((weights[h] as number) * (chi[h] as number)) / Math.max(1, largest);
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
    const from = row * HISTOGRAMS_LENGTH + histogram * HISTOGRAM_BINS;
    let squares = 0;
    for (let i = from; i < from + HISTOGRAM_BINS; i++) squares += (this.histograms[i] as number) ** 2;
    return Math.sqrt(squares);
  }
}
