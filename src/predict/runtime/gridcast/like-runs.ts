import { keepClass } from '../../../domain/kept-classes.ts';
import { BoostedMedian } from '../../../stats/boosted-median.ts';
import { GrownLikeness } from '../../../stats/grown-likeness.ts';
import { RisingQuantiles } from '../../../stats/weighted-quantiles.ts';
import type { GrowingModel } from '../../online/rolling-fit.ts';

/** A job that ended, with what was known of it at its submission. */
export interface RunExample {
  readonly features: Float32Array;
  readonly scaleSeconds: number;
  /** Of the scale that it ran. */
  readonly share: number;
}

/** How alike the jobs of a fit are to one that is asked about. */
export interface RunSpread {
  /** Median share of the scale, by the trees. */
  readonly median: number;
  /** Jobs' worth of evidence. */
  readonly sampleSize: number;
  /** Shares that are reached with probabilities of so much, rising. */
  at(levels: ArrayLike<number>): number[];
}

export interface WeightedShare {
  readonly share: number;
  readonly weight: number;
}

export interface LikeRunsParameters {
  readonly trees: number;
  readonly learningRate: number;
  /** Power of the likeness with which a job counts. */
  readonly sharpness: number;
}

/**
 * The distribution of a runtime as the runtimes of like jobs. Boosted trees learn the median share of the walltime that
 * jobs run, each job counting by its walltime, so that the sum of absolute errors in seconds falls. Jobs that many of
 * the trees put into one leaf are alike, and count so much the more.
 * Source: Meinshausen, Quantile regression forests, JMLR 7 (2006): the conditional distribution as that of the jobs in
 * the same leaves. There the trees are independent and each weighs alike; here they are boosted, and the likeness is
 * raised to a power.
 */
export class LikeRuns implements GrowingModel {
  private readonly trees: BoostedMedian;
  private readonly likeness: GrownLikeness;
  /** Rising. */
  private readonly shares: Float64Array;
  private readonly weightOf: Float64Array;

  /** @param examples at least one */
  constructor(examples: readonly RunExample[], parameters: LikeRunsParameters, seed: number) {
    const rows = [...examples].sort((a, b) => a.share - b.share);
    const width = rows[0]?.features.length ?? 0;
    const values = new Float32Array(rows.length * width);
    rows.forEach(({ features }, row) => {
      values.set(features, row * width);
    });
    this.shares = Float64Array.from(rows, ({ share }) => share);
    const weights = Float64Array.from(rows, ({ scaleSeconds }) => scaleSeconds);
    const { trees, learningRate, sharpness } = parameters;
    this.trees = new BoostedMedian(values, this.shares, { ...GROWTH, trees, learningRate }, seed, weights);
    this.likeness = new GrownLikeness(this.trees, values, this.shares.length);
    this.weightOf = Float64Array.from({ length: trees + 1 }, (_, count) => (count / trees) ** sharpness);
  }

  get isGrown(): boolean {
    return this.likeness.isGrown;
  }

  grow(values?: number): void {
    this.likeness.grow(values);
  }

  /** The leaf of each tree that a job falls into. O(trees x depth). */
  leavesOf(features: Float32Array): Int32Array {
    return this.trees.leaves(features);
  }

  /** What is said of a job in these leaves. O(trees x jobs / 32). Asked only once it is grown. */
  spreadOf(leaves: Int32Array): RunSpread {
    const weights = this.weightsOf(leaves);
    const sampleSize = effectiveSize(weights);
    const quantiles = new RisingQuantiles(this.shares, weights);
    return { median: this.trees.predictOf(leaves), sampleSize, at: (levels) => quantiles.at(levels) };
  }

  /** Shares of the jobs that are like one in these leaves, with how much each counts, together 1. */
  likeShares(leaves: Int32Array): WeightedShare[] {
    return weightiest(this.shares, this.weightsOf(leaves));
  }

  /** The most alike weighs 1. */
  private weightsOf(leaves: Int32Array): Float64Array {
    const counts = this.likeness.countsFor(leaves);
    let mostAlike = 1;
    for (let i = 0; i < counts.length; i++) if ((counts[i] as number) > mostAlike) mostAlike = counts[i] as number;
    const scale = 1 / (this.weightOf[mostAlike] as number);
    const weightOf = this.weightOf.map((weight) => scale * weight);
    const weights = new Float64Array(counts.length);
    for (let i = 0; i < counts.length; i++) weights[i] = weightOf[counts[i] as number] as number;
    return weights;
  }
}

function weightiest(shares: Float64Array, weights: Float64Array): WeightedShare[] {
  const kept: { share: number; weight: number }[] = [];
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    if (weight < LEAST_WEIGHT) continue;
    kept.push({ share: shares[i] as number, weight });
    total += weight;
  }
  return kept.map(({ share, weight }) => ({ share, weight: weight / total }));
}

/** As many jobs of equal weight would say as much. Source: Kish, Survey sampling, 1965, section 11.7. */
function effectiveSize(weights: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    sum += weight;
    squares += weight * weight;
  }
  return Math.round((sum * sum) / squares);
}

/** Who counts less, relative to the most alike, is left out. */
const LEAST_WEIGHT = 0.02;
const GROWTH = { courses: 2, rowShare: 0.5, featureShare: 0.5, mostLeaves: 8, fewestRows: 10 } as const;

keepClass(LikeRuns);
