import { keepClass } from '../../../domain/kept-classes.ts';
import { BoostedMedian } from '../../../stats/boosted-median.ts';
import { LeafLikeness } from '../../../stats/leaf-likeness.ts';
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
  /** Shares of the jobs that are like it, with how much each counts, together 1; who hardly does is left out. */
  likeShares(): WeightedShare[];
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
  /** Empty once it is grown. */
  private values: Float32Array;
  /** Rising. */
  private readonly shares: Float64Array;
  private readonly weightOf: Float64Array;
  private likeness: LeafLikeness | null = null;

  /** @param examples at least one */
  constructor(examples: readonly RunExample[], parameters: LikeRunsParameters, seed: number) {
    const rows = [...examples].sort((a, b) => a.share - b.share);
    const width = rows[0]?.features.length ?? 0;
    this.values = new Float32Array(rows.length * width);
    rows.forEach(({ features }, row) => {
      this.values.set(features, row * width);
    });
    this.shares = Float64Array.from(rows, ({ share }) => share);
    const weights = Float64Array.from(rows, ({ scaleSeconds }) => scaleSeconds);
    const { trees, learningRate, sharpness } = parameters;
    this.trees = new BoostedMedian(this.values, this.shares, { ...GROWTH, trees, learningRate }, seed, weights);
    this.weightOf = Float64Array.from({ length: trees + 1 }, (_, count) => (count / trees) ** sharpness);
  }

  get isGrown(): boolean {
    return this.likeness !== null;
  }

  grow(trees?: number): void {
    this.trees.grow(trees);
    if (!this.trees.isGrown || this.likeness) return;
    this.likeness = new LeafLikeness(this.trees, this.values, this.shares.length);
    this.likeness.build();
    this.values = new Float32Array(0);
  }

  /** O(trees x jobs in a leaf). Asked only once it is grown. */
  spreadOf(features: Float32Array): RunSpread {
    if (!this.likeness) throw new Error('asked before the trees were grown');
    const leaves = this.trees.leaves(features);
    const counts = this.likeness.countsFor(leaves);
    const weights = weightsOf(counts, this.weightOf);
    const quantiles = new RisingQuantiles(this.shares, weights);
    return {
      median: this.trees.predictOf(leaves),
      sampleSize: effectiveSize(weights),
      likeShares: () => weightiest(this.shares, weights),
      at: (levels) => quantiles.at(levels),
    };
  }
}

/** The most alike weighs 1. */
function weightsOf(counts: Uint16Array, weightOf: Float64Array): Float64Array {
  let mostAlike = 1;
  for (let i = 0; i < counts.length; i++) mostAlike = Math.max(mostAlike, counts[i] as number);
  const scale = 1 / (weightOf[mostAlike] as number);
  const weights = new Float64Array(counts.length);
  for (let i = 0; i < counts.length; i++) weights[i] = scale * (weightOf[counts[i] as number] as number);
  return weights;
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

/** Relative to the most alike. */
const LEAST_WEIGHT = 0.02;
const GROWTH = { rowShare: 0.5, featureShare: 0.5, mostLeaves: 8, fewestRows: 10 } as const;

keepClass(LikeRuns);
