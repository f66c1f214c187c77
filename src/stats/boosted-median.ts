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

/** A fitted ensemble. */
export interface BoostedMedian {
  /** The conditional median of a row of features that begins at `offset`. O(trees x depth). */
  predict(values: ArrayLike<number>, offset?: number): number;
}

/**
 * Fits the conditional median by boosting: each tree is grown on the signs of what is left over and answers with its leaves' medians
 * of it, so the sum of absolute errors falls. Values that are not numbers are unknown, which may tell something, too. The same
 * seed gives the same ensemble. O(trees x rows x features).
 * Source: Friedman, Greedy function approximation, Annals of Statistics 29(5), 2001, algorithm 3 (LAD_TreeBoost), with the row
 * sampling of his Stochastic gradient boosting, 2002.
 * @param values row after row of features
 * @param targets one to a row, at least one
 */
export function boostMedian(
  values: Float32Array,
  targets: Float64Array,
  parameters: BoostingParameters,
  seed: number,
): BoostedMedian {
  const width = values.length / targets.length;
  const table = binColumns(values, width);
  const random = xoroshiro128plus(seed);
  const draw = (from: number, share: number) => drawn(from, share, () => uniformFloat64(random));
  const start = medianOf(targets.slice());
  const left = targets.map((target) => target - start);
  const trees: RegressionTree[] = [];
  for (let i = 0; i < parameters.trees; i++) {
    const rows = draw(targets.length, parameters.rowShare);
    const features = draw(width, parameters.featureShare);
    const tree = growTree(table, rows, left.map(Math.sign), features, parameters, (leaf) => {
      const answers = Float64Array.from(leaf, (row) => left[row] as number);
      return parameters.learningRate * medianOf(answers);
    });
    takeOff(left, tree, values, table);
    trees.push(tree);
  }
  return { predict: (row, offset = 0) => trees.reduce((sum, tree) => sum + treeValue(tree, row, offset), start) };
}

function takeOff(
  left: Float64Array,
  tree: RegressionTree,
  values: Float32Array,
  { rows, columns }: BinnedColumns,
): void {
  for (let row = 0; row < rows; row++)
    left[row] = (left[row] as number) - treeValue(tree, values, row * columns.length);
}

/** A random subset of 0 .. count - 1 in rising order, never empty. */
function drawn(count: number, share: number, uniform: () => number): Int32Array {
  const chosen: number[] = [];
  for (let i = 0; i < count; i++) if (uniform() < share) chosen.push(i);
  return Int32Array.from(chosen.length > 0 ? chosen : [0]);
}

/** Lower median; sorts the values in place. */
function medianOf(values: Float64Array): number {
  return values.sort()[(values.length - 1) >> 1] as number;
}
