import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type BinnedColumns, binColumns } from './binned-columns.ts';
import { growTree, type RegressionTree, type TreeLimits, treeValue } from './regression-tree.ts';

/** How an ensemble is boosted. */
export interface BoostingParameters extends TreeLimits {
  readonly trees: number;
  /** Share of each tree's answer that is taken over. */
  readonly learningRate: number;
  /** Share of the rows, drawn anew, that each tree is grown on. */
  readonly rowShare: number;
  /** Share of the features, drawn anew, that each tree may split on. */
  readonly featureShare: number;
}

/**
 * The conditional median by boosting: each tree is grown on the signs of what is left over and answers with its leaves' medians of it, so the
 * sum of absolute errors falls. Values that are not numbers are unknown, which may tell something, too. Trees are grown when the
 * caller has the time; each takes O(rows x features). The same seed gives the same trees.
 * Source: Friedman, Greedy function approximation, Annals of Statistics 29(5), 2001, algorithm 3 (LAD_TreeBoost), with the row
 * sampling of his Stochastic gradient boosting, 2002.
 */
export class BoostedMedian {
  private readonly table: BinnedColumns;
  private readonly start: number;
  /** What the trees so far leave over of each target. */
  private readonly left: Float64Array;
  private readonly random;
  private readonly trees: RegressionTree[] = [];

  /**
   * @param values row after row of features
   * @param targets one to a row, at least one
   */
  constructor(
    private readonly values: Float32Array,
    targets: Float64Array,
    private readonly parameters: BoostingParameters,
    seed: number,
  ) {
    this.table = binColumns(values, values.length / targets.length);
    this.start = medianOf(targets.slice());
    this.left = targets.map((target) => target - this.start);
    this.random = xoroshiro128plus(seed);
  }

  get isGrown(): boolean {
    return this.trees.length >= this.parameters.trees;
  }

  /** Adds so many trees, or those that are missing. */
  grow(trees = Number.POSITIVE_INFINITY): void {
    for (let i = 0; i < trees && !this.isGrown; i++) this.growOne();
  }

  /** The conditional median of a row of features that begins at `offset`. O(trees x depth). */
  predict(values: ArrayLike<number>, offset = 0): number {
    return this.trees.reduce((sum, tree) => sum + treeValue(tree, values, offset), this.start);
  }

  private growOne(): void {
    const { rowShare, featureShare, learningRate } = this.parameters;
    const left = this.left;
    const table = this.table;
    const rows = this.drawn(table.rows, rowShare);
    const features = this.drawn(table.columns.length, featureShare);
    const tree = growTree(table, rows, left.map(Math.sign), features, this.parameters, (leaf) => {
      return learningRate * medianOf(Float64Array.from(leaf, (row) => left[row] as number));
    });
    for (let row = 0; row < table.rows; row++) {
      left[row] = (left[row] as number) - treeValue(tree, this.values, row * table.columns.length);
    }
    this.trees.push(tree);
  }

  /** A random subset of 0 .. count - 1 in rising order, never empty. */
  private drawn(count: number, share: number): Int32Array {
    const chosen: number[] = [];
    for (let i = 0; i < count; i++) if (uniformFloat64(this.random) < share) chosen.push(i);
    return Int32Array.from(chosen.length > 0 ? chosen : [0]);
  }
}

/** Lower median; sorts the values in place. */
function medianOf(values: Float64Array): number {
  return values.sort()[(values.length - 1) >> 1] as number;
}
