import { BoostedMedian, type BoostingParameters } from '../../../stats/boosted-median.ts';

/** A submission and how long it waited. */
export interface WaitExample {
  readonly features: Float32Array;
  readonly waitSeconds: number;
}

/** A submission that still waits. */
export interface WaitingExample {
  readonly features: Float32Array;
  readonly ageSeconds: number;
}

export interface WaitModelParameters {
  readonly boosting: BoostingParameters;
  /** The most recent known waits that are learned from. */
  readonly capacity: number;
  /** Known waits before the first fit. */
  readonly fewestExamples: number;
  /** Further known waits after which it is fitted anew; a third of what there are while these are few. */
  readonly fitEvery: number;
  /** Trees that are grown in one step of a fit: some tens of milliseconds. */
  readonly treesAtOnce: number;
}

export const WAIT_MODEL_DEFAULTS: WaitModelParameters = {
  boosting: { trees: 160, learningRate: 0.05, rowShare: 0.6, featureShare: 0.5, mostLeaves: 24, fewestRows: 20 },
  capacity: 10_000,
  fewestExamples: 500,
  fitEvery: 1000,
  treesAtOnce: 16,
};

/**
 * Median wait of a submission by boosted trees, fitted anew to the most recent known waits every so often. It works on the square
 * roots of waits: the median is the same on any scale, but on this one trees split neither for the few longest waits alone, as on the plain
 * one, nor for differences of seconds, as on a logarithmic one.
 *
 * Known waits alone would be too short, because the longest are known last. So jobs that still wait are learned from, too, as if
 * they would wait half as long again as they have, or as long as was forecast, whichever is more.
 */
export class WaitModel {
  private examples: WaitExample[] = [];
  private unfitted = 0;
  private fits = 0;
  private median: BoostedMedian | null = null;
  private growing: BoostedMedian | null = null;

  constructor(private readonly parameters: WaitModelParameters) {}

  /** How many known waits are learned from. */
  get size(): number {
    return Math.min(this.examples.length, this.parameters.capacity);
  }

  get isFitted(): boolean {
    return this.median !== null;
  }

  /** True once enough has been learned to begin a fit. */
  get isDue(): boolean {
    const { fewestExamples, fitEvery } = this.parameters;
    if (this.growing) return false;
    if (!this.isFitted) return this.examples.length >= fewestExamples;
    return this.unfitted >= Math.min(fitEvery, this.examples.length / 3);
  }

  learn(example: WaitExample): void {
    this.examples.push(example);
    this.unfitted++;
    if (this.examples.length >= 2 * this.parameters.capacity) {
      this.examples = this.examples.slice(-this.parameters.capacity);
    }
  }

  /** Begins to fit to the known waits and to the jobs that still wait; until the fit is finished the last one answers. */
  beginFit(waiting: readonly WaitingExample[]): void {
    const known = this.examples.slice(-this.parameters.capacity);
    const rows = [...known, ...waiting.map((one) => this.expected(one))];
    const width = rows[0]?.features.length ?? 0;
    const values = new Float32Array(rows.length * width);
    rows.forEach(({ features }, i) => {
      values.set(features, i * width);
    });
    const roots = Float64Array.from(rows, ({ waitSeconds }) => Math.sqrt(waitSeconds));
    this.growing = new BoostedMedian(values, roots, this.parameters.boosting, ++this.fits);
    this.unfitted = 0;
  }

  /** Takes the next step of a fit that was begun; O(trees at once x examples x features). */
  continueFit(): void {
    if (!this.growing) return;
    this.growing.grow(this.parameters.treesAtOnce);
    if (!this.growing.isGrown) return;
    this.median = this.growing;
    this.growing = null;
  }

  /** Finishes a fit that was begun. */
  finishFit(): void {
    while (this.growing) this.continueFit();
  }

  /** Square root of the median wait, not below 0; 0 before the first fit. */
  predictRoot(features: Float32Array): number {
    return Math.max(0, this.median?.predict(features) ?? 0);
  }

  private expected({ features, ageSeconds }: WaitingExample): WaitExample {
    return { features, waitSeconds: Math.max(LONGER_BY * ageSeconds, this.predictRoot(features) ** 2) };
  }
}

const LONGER_BY = 1.5;
