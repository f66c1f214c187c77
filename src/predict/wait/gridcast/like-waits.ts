import { keepClass } from '../../../domain/kept-classes.ts';
import { BoostedMedian } from '../../../stats/boosted-median.ts';
import type { BoostingParameters } from '../../../stats/boosted-trees.ts';
import { LeafLikeness } from '../../../stats/leaf-likeness.ts';
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
  /** Empty once it is grown. */
  private values: Float32Array;
  /** Square roots of the waits, rising. */
  private readonly roots: Float64Array;
  private readonly weightOf: Float64Array;
  private likeness: LeafLikeness | null = null;

  /**
   * @param examples at least one
   * @param width features of the widest; what a row lacks is not known
   */
  constructor(examples: readonly WaitExample[], width: number, boosting: BoostingParameters, seed: number) {
    const rows = [...examples].sort((a, b) => a.waitSeconds - b.waitSeconds);
    this.values = new Float32Array(rows.length * width).fill(Number.NaN);
    rows.forEach(({ features }, row) => {
      this.values.set(features, row * width);
    });
    this.roots = Float64Array.from(rows, ({ waitSeconds }) => Math.sqrt(waitSeconds));
    this.trees = new BoostedMedian(this.values, this.roots, boosting, seed);
    const { trees } = boosting;
    this.weightOf = Float64Array.from({ length: trees + 1 }, (_, count) => (count / trees) ** SHARPNESS);
  }

  get isGrown(): boolean {
    return this.likeness?.isBuilt ?? false;
  }

  /** Grows so many trees or, when they are all grown, notes who lies in the leaves of so many. */
  grow(trees?: number): void {
    if (!this.trees.isGrown) {
      this.trees.grow(trees);
      return;
    }
    this.likeness ??= new LeafLikeness(this.trees, this.values, this.roots.length);
    this.likeness.build(trees);
    if (this.likeness.isBuilt) this.values = new Float32Array(0);
  }

  /** Square root of the median wait, not below 0. O(trees x depth). */
  medianRootOf(features: Float32Array): number {
    return Math.max(0, this.trees.predict(features));
  }

  /** O(trees x submissions in a leaf). Asked only once it is grown. */
  spreadOf(features: Float32Array): WaitSpread {
    if (!this.likeness) throw new Error('asked before the trees were grown');
    const leaves = this.trees.leaves(features);
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
