import { keepClass } from '../../../domain/kept-classes.ts';
import { BoostedMedian } from '../../../stats/boosted-median.ts';
import type { BoostingParameters } from '../../../stats/boosted-trees.ts';
import { GrownLikeness } from '../../../stats/grown-likeness.ts';
import { RisingQuantiles } from '../../../stats/weighted-quantiles.ts';
import type { GrowingModel } from '../../online/rolling-fit.ts';

/** A submission and how long it waited. */
export interface WaitExample {
  readonly features: Float32Array;
  readonly waitSeconds: number;
}

/** What a fit says of a submission, in square roots of seconds. */
export interface WaitSpread {
  /** Of the median wait; not below 0. */
  readonly medianRoot: number;
  /** Of the waits that are reached with probabilities of so much, rising. */
  rootsAt(levels: ArrayLike<number>): number[];
}

/**
 * The distribution of a wait: boosted trees learn its median, and the waits of the submissions that many of them put
 * into the same leaves as the new one are its distribution. So it has an atom where its like start at once, and is as
 * wide as their waits differ.
 *
 * The trees work on the square roots of waits: the median is the same on any scale, but on this one trees split neither
 * for the few longest waits alone, as on the plain one, nor for differences of seconds, as on a logarithmic one.
 * Source: Meinshausen, Quantile regression forests, JMLR 7 (2006), with a power of the likeness in boosted trees.
 */
export class LikeWaits implements GrowingModel {
  private readonly trees: BoostedMedian;
  private readonly likeness: GrownLikeness;
  /** Square roots of the waits, rising. */
  private readonly roots: Float64Array;
  private readonly weightOf: Float64Array;

  /**
   * @param examples at least one
   * @param width features of the widest; what a row lacks is not known
   */
  constructor(examples: readonly WaitExample[], width: number, boosting: BoostingParameters, seed: number) {
    const rows = [...examples].sort((a, b) => a.waitSeconds - b.waitSeconds);
    const values = new Float32Array(rows.length * width).fill(Number.NaN);
    rows.forEach(({ features }, row) => {
      values.set(features, row * width);
    });
    this.roots = Float64Array.from(rows, ({ waitSeconds }) => Math.sqrt(waitSeconds));
    this.trees = new BoostedMedian(values, this.roots, boosting, seed);
    this.likeness = new GrownLikeness(this.trees, values, this.roots.length);
    const { trees } = boosting;
    this.weightOf = Float64Array.from({ length: trees + 1 }, (_, count) => (count / trees) ** SHARPNESS);
  }

  get isGrown(): boolean {
    return this.likeness.isGrown;
  }

  grow(values?: number): void {
    this.likeness.grow(values);
  }

  /** Square root of the median wait, not below 0. O(trees x depth). */
  medianRootOf(features: Float32Array): number {
    return Math.max(0, this.trees.predict(features));
  }

  /** The leaf of each tree that a submission falls into. O(trees x depth). */
  leavesOf(features: Float32Array): Int32Array {
    return this.trees.leaves(features);
  }

  /** What is said of a submission in these leaves. O(trees x submissions / 32). Asked only once it is grown. */
  spreadOf(leaves: Int32Array): WaitSpread {
    const quantiles = new RisingQuantiles(this.roots, weightsOf(this.likeness.countsFor(leaves), this.weightOf));
    return {
      medianRoot: Math.max(0, this.trees.predictOf(leaves)),
      rootsAt: (levels) => quantiles.at(levels),
    };
  }
}

/** A loop over indices: a copy of ten thousand counts through an iterator took half of the time of a forecast. */
function weightsOf(counts: Uint16Array, weightOf: Float64Array): Float64Array {
  const weights = new Float64Array(counts.length);
  for (let i = 0; i < counts.length; i++) weights[i] = weightOf[counts[i] as number] as number;
  return weights;
}

/** Power of the likeness with which a wait counts. */
const SHARPNESS = 4;

keepClass(LikeWaits);
