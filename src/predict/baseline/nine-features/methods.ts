import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { exactTreeValue, growExactTree, sortColumns } from '../../../stats/exact-tree.ts';

/** What a method made of some rows with their targets: an answer for any other row. */
export type Learned = (row: Float64Array) => number;

/** Learns from rows with their targets, at least one. */
export type Method = (rows: readonly Float64Array[], targets: Float64Array) => Learned;

/** One tree to the end. */
export const learnTree: Method = (rows, targets) => {
  const tree = growExactTree(sortColumns(rows), targets, new Int32Array(rows.length).fill(1));
  return (row) => exactTreeValue(tree, row);
};

/**
 * The mean of trees that are each grown on as many rows, drawn with replacement. Source: Breiman, Random forests,
 * Machine Learning 45, 2001, with all features at every split, as in scikit-learn's RandomForestRegressor as it comes.
 */
export function learnForest(trees: number): Method {
  return (rows, targets) => {
    const columns = sortColumns(rows);
    const random = xoroshiro128plus(rows.length);
    const forest = Array.from({ length: trees }, () => {
      const weights = new Int32Array(rows.length);
      for (let i = 0; i < rows.length; i++) {
        const row = uniformInt(random, 0, rows.length - 1);
        weights[row] = (weights[row] as number) + 1;
      }
      return growExactTree(columns, targets, weights);
    });
    return (row) => forest.reduce((sum, tree) => sum + exactTreeValue(tree, row), 0) / trees;
  };
}

/** The mean of the nearest by Euclid's distance of the features as they are; of equally near ones the newest. */
export function learnNeighbours(count: number): Method {
  return (rows, targets) => (row) => {
    const nearest: { distance: number; target: number }[] = [];
    for (let i = rows.length - 1; i >= 0; i--) {
      const distance = distanceOf(row, rows[i] as Float64Array);
      if (nearest.length === count && distance >= (nearest[count - 1]?.distance ?? 0)) continue;
      const after = nearest.findIndex((other) => other.distance > distance);
      nearest.splice(after === -1 ? nearest.length : after, 0, { distance, target: targets[i] as number });
      if (nearest.length > count) nearest.pop();
    }
    return nearest.reduce((sum, { target }) => sum + target, 0) / nearest.length;
  };
}

function distanceOf(row: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < row.length; k++) sum += ((row[k] as number) - (other[k] as number)) ** 2;
  return sum;
}
