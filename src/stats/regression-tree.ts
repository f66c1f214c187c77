import { type BinnedColumns, MOST_BINS } from './binned-columns.ts';

/** When a tree stops growing. */
export interface TreeLimits {
  readonly mostLeaves: number;
  /** Rows in a leaf at least. */
  readonly fewestRows: number;
}

/** Nodes of a tree within its limits at most. */
export function mostNodes({ mostLeaves }: TreeLimits): number {
  return 2 * mostLeaves - 1;
}

/**
 * A binary tree by columns. Node 0 is the root; a leaf's feature is -1. Values up to the threshold go left. A right
 * child comes right after the left one.
 */
export interface RegressionTree {
  readonly feature: Int16Array;
  readonly threshold: Float64Array;
  /** 1 where values that are not numbers go left. */
  readonly unknownGoesLeft: Uint8Array;
  readonly left: Int16Array;
  readonly right: Int16Array;
  /** What a leaf answers. */
  readonly value: Float64Array;
}

/** What a tree answers for a row of values that begins at `offset`. O(depth). */
export function treeValue(tree: RegressionTree, values: ArrayLike<number>, offset = 0): number {
  let node = 0;
  for (;;) {
    const feature = tree.feature[node] as number;
    if (feature < 0) return tree.value[node] as number;
    const value = values[offset + feature] as number;
    const goesLeft = Number.isNaN(value) ? tree.unknownGoesLeft[node] === 1 : value <= (tree.threshold[node] as number);
    node = (goesLeft ? tree.left[node] : tree.right[node]) as number;
  }
}

/** What a tree is grown on, by row number of the table. */
export interface TreeTargets {
  readonly values: Float64Array;
  /** How much each row counts; all alike where there are none. The values must be weighted already. */
  readonly weights: Float64Array | null;
}

/**
 * Grows a tree best split first: the split that lowers the squared error of the targets most, of all leaves and all of
 * the chosen features' bins, until there is none or the limits are reached. Unknown values go to the side that suits
 * them better. A leaf answers what `answerOf` makes of its rows. O(rows x features x depth).
 * Source: Ke et al., LightGBM, NIPS 2017, section 2.1 (histograms, leaf-wise growth, the smaller child's histogram
 * only).
 * @param rows the rows to grow on; their order is changed
 */
export function growTree(
  table: BinnedColumns,
  rows: Int32Array,
  targets: TreeTargets,
  features: Int32Array,
  limits: TreeLimits,
  answerOf: (rows: Int32Array) => number,
): RegressionTree {
  const { mostLeaves, fewestRows } = limits;
  const tree = emptyTree(mostNodes(limits));
  const histogram = histogramOf(table, rows, targets, features);
  const leaves = [leafOf(0, rows, histogram, table, features, fewestRows)];
  for (let nodes = 1; leaves.length < mostLeaves; nodes += 2) {
    const index = indexOfBest(leaves);
    const leaf = leaves[index];
    if (!leaf || leaf.split === null) break;
    const { feature, bin, unknownGoesLeft } = leaf.split;
    tree.feature[leaf.node] = feature;
    tree.threshold[leaf.node] = table.ends[feature]?.[bin - 1] ?? Number.POSITIVE_INFINITY;
    tree.unknownGoesLeft[leaf.node] = unknownGoesLeft ? 1 : 0;
    tree.left[leaf.node] = nodes;
    tree.right[leaf.node] = nodes + 1;
    const middle = partition(leaf.rows, table.columns[feature] as Uint8Array, bin, unknownGoesLeft);
    const sides = [leaf.rows.subarray(0, middle), leaf.rows.subarray(middle)] as const;
    const smaller = middle <= leaf.rows.length - middle ? 0 : 1;
    const histograms = [leaf.histogram, leaf.histogram];
    histograms[smaller] = histogramOf(table, sides[smaller], targets, features);
    subtract(leaf.histogram, histograms[smaller] as Histogram);
    const children = sides.map((side, i) =>
      leafOf(nodes + i, side, histograms[i] as Histogram, table, features, fewestRows),
    );
    leaves.splice(index, 1, ...children);
  }
  for (const leaf of leaves) tree.value[leaf.node] = answerOf(leaf.rows);
  return tree;
}

/** Sum of the targets, weight and count of the rows by chosen feature and bin. */
interface Histogram {
  readonly sums: Float64Array;
  readonly counts: Int32Array;
  /** The counts themselves where all rows count alike. */
  readonly weights: Float64Array | Int32Array;
}

interface Split {
  readonly feature: number;
  /** The last bin that goes left. */
  readonly bin: number;
  readonly unknownGoesLeft: boolean;
  /** By how much it lowers the squared error. */
  readonly gain: number;
}

interface Leaf {
  readonly node: number;
  readonly rows: Int32Array;
  readonly histogram: Histogram;
  readonly split: Split | null;
}

function leafOf(
  node: number,
  rows: Int32Array,
  histogram: Histogram,
  table: BinnedColumns,
  features: Int32Array,
  fewestRows: number,
): Leaf {
  const split = rows.length < 2 * fewestRows ? null : bestSplit(histogram, rows.length, table, features, fewestRows);
  return { node, rows, histogram, split };
}

function histogramOf(
  table: BinnedColumns,
  rows: Int32Array,
  { values, weights: rowWeights }: TreeTargets,
  features: Int32Array,
): Histogram {
  const sums = new Float64Array(features.length * MOST_BINS);
  const counts = new Int32Array(features.length * MOST_BINS);
  const weights = rowWeights ? new Float64Array(features.length * MOST_BINS) : counts;
  for (let k = 0; k < features.length; k++) {
    const column = table.columns[features[k] as number] as Uint8Array;
    const base = k * MOST_BINS;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const at = base + (column[row] as number);
      sums[at] = (sums[at] as number) + (values[row] as number);
      counts[at] = (counts[at] as number) + 1;
      if (rowWeights) weights[at] = (weights[at] as number) + (rowWeights[row] as number);
    }
  }
  return { sums, counts, weights };
}

function subtract(from: Histogram, part: Histogram): void {
  for (let i = 0; i < from.sums.length; i++) {
    from.sums[i] = (from.sums[i] as number) - (part.sums[i] as number);
    from.counts[i] = (from.counts[i] as number) - (part.counts[i] as number);
    if (from.weights !== from.counts) from.weights[i] = (from.weights[i] as number) - (part.weights[i] as number);
  }
}

function bestSplit(
  { sums, counts, weights }: Histogram,
  rows: number,
  table: BinnedColumns,
  features: Int32Array,
  fewestRows: number,
): Split | null {
  const total = sumOf(sums.subarray(0, MOST_BINS));
  const totalWeight = sumOf(weights.subarray(0, MOST_BINS));
  let best: Split | null = null;
  let bestGain = LEAST_GAIN;
  for (let k = 0; k < features.length; k++) {
    const feature = features[k] as number;
    const base = k * MOST_BINS;
    const bins = (table.ends[feature]?.length ?? 0) + 1;
    const unknown = { sum: sums[base] as number, count: counts[base] as number, weight: weights[base] as number };
    let [sum, count, weight] = [0, 0, 0];
    for (let bin = 1; bin <= bins; bin++) {
      sum += sums[base + bin] as number;
      count += counts[base + bin] as number;
      weight += weights[base + bin] as number;
      for (let side = 0; side < 2; side++) {
        const leftCount = count + side * unknown.count;
        const rightCount = rows - leftCount;
        if (leftCount < fewestRows || rightCount < fewestRows) continue;
        const leftSum = sum + side * unknown.sum;
        const leftWeight = weight + side * unknown.weight;
        const gain =
          (leftSum * leftSum) / leftWeight +
          ((total - leftSum) * (total - leftSum)) / (totalWeight - leftWeight) -
          (total * total) / totalWeight;
        if (gain <= bestGain) continue;
        bestGain = gain;
        best = { feature, bin, unknownGoesLeft: side === 1, gain };
      }
    }
  }
  return best;
}

function sumOf(values: Float64Array | Int32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function indexOfBest(leaves: readonly Leaf[]): number {
  let best = 0;
  for (let i = 1; i < leaves.length; i++) {
    if ((leaves[i]?.split?.gain ?? 0) > (leaves[best]?.split?.gain ?? 0)) best = i;
  }
  return best;
}

/** Moves the rows that go left to the front and returns how many they are. */
function partition(rows: Int32Array, column: Uint8Array, lastBin: number, unknownGoesLeft: boolean): number {
  let left = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const bin = column[row] as number;
    if (bin === 0 ? !unknownGoesLeft : bin > lastBin) continue;
    rows[i] = rows[left] as number;
    rows[left++] = row;
  }
  return left;
}

function emptyTree(nodes: number): RegressionTree {
  return {
    feature: new Int16Array(nodes).fill(-1),
    threshold: new Float64Array(nodes),
    unknownGoesLeft: new Uint8Array(nodes),
    left: new Int16Array(nodes),
    right: new Int16Array(nodes),
    value: new Float64Array(nodes),
  };
}

/** Less is rounding. */
const LEAST_GAIN = 1e-9;
