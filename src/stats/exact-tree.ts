/** Rows of features, column by column, with the order of each column's values. */
export interface SortedColumns {
  /** Which features they are: all but those that are the same everywhere, and the first. */
  readonly features: readonly number[];
  readonly columns: readonly Float64Array[];
  /** Row numbers by rising value, for each column. */
  readonly orders: readonly Int32Array[];
}

/** A binary tree. A leaf's feature is -1; values up to the threshold go left. */
export interface ExactTree {
  readonly feature: readonly number[];
  readonly threshold: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly value: readonly number[];
}

/** @param rows all of one length, at least one, every value a number */
export function sortColumns(rows: readonly Float64Array[]): SortedColumns {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, k) => Float64Array.from(rows, (row) => row[k] as number));
  const telling = columns.flatMap((column, k) => (k === 0 || column.some((value) => value !== column[0]) ? [k] : []));
  const orders = telling.map((k) => {
    const column = columns[k] as Float64Array;
    return Int32Array.from(rows.keys()).sort((a, b) => (column[a] as number) - (column[b] as number) || a - b);
  });
  return { features: telling, columns: telling.map((k) => columns[k] as Float64Array), orders };
}

/** What the tree answers for a row. O(depth). */
export function exactTreeValue({ feature, threshold, left, right, value }: ExactTree, row: Float64Array): number {
  let node = 0;
  for (let split = feature[0] as number; split >= 0; split = feature[node] as number) {
    node = ((row[split] as number) <= (threshold[node] as number) ? left[node] : right[node]) as number;
  }
  return value[node] as number;
}

/**
 * Grows a regression tree to the end: every leaf is of one target, or of rows that no feature tells apart. A split is
 * half way between two values. O(features x rows x depth). Source: Breiman et al., Classification and regression trees,
 * 1984, as in scikit-learn's DecisionTreeRegressor as it comes.
 * @param weights how often each row counts; rows with 0 are left out, one at least is not
 */
export function growExactTree(
  { features, columns, orders }: SortedColumns,
  targets: Float64Array,
  weights: Int32Array,
): ExactTree {
  const tree = { feature: [] as number[], threshold: [] as number[], left: [] as number[], right: [] as number[] };
  const value: number[] = [];
  const kept = orders.map((order) => order.filter((row) => (weights[row] as number) > 0));
  const stack: Segment[] = [{ from: 0, until: kept[0]?.length ?? 0, parent: -1, isLeft: false }];
  const goesLeft = new Uint8Array(targets.length);
  const spare = new Int32Array(targets.length);
  for (let segment = stack.pop(); segment; segment = stack.pop()) {
    const { from, until, parent, isLeft } = segment;
    const node = value.length;
    if (parent >= 0) (isLeft ? tree.left : tree.right)[parent] = node;
    const total = totalOf(kept[0] as Int32Array, segment, targets, weights);
    const split = bestSplit(columns, kept, segment, targets, weights, total);
    value.push(total.sum / total.weight);
    tree.feature.push(split === null ? -1 : (features[split.column] as number));
    tree.threshold.push(split?.threshold ?? 0);
    tree.left.push(-1);
    tree.right.push(-1);
    if (split === null) continue;
    const column = columns[split.column] as Float64Array;
    for (let i = from; i < until; i++) {
      const row = kept[0]?.[i] as number;
      goesLeft[row] = (column[row] as number) <= split.threshold ? 1 : 0;
    }
    let middle = from;
    for (const order of kept) middle = partition(order, segment, goesLeft, spare);
    stack.push(
      { from: middle, until, parent: node, isLeft: false },
      { from, until: middle, parent: node, isLeft: true },
    );
  }
  return { ...tree, value };
}

/** The rows of a node, a stretch of every order. */
interface Segment {
  readonly from: number;
  readonly until: number;
  /** The node it hangs on; -1 of the root. */
  readonly parent: number;
  readonly isLeft: boolean;
}

interface Total {
  readonly sum: number;
  readonly weight: number;
  readonly isOfOneTarget: boolean;
}

function totalOf(order: Int32Array, { from, until }: Segment, targets: Float64Array, weights: Int32Array): Total {
  let [sum, weight] = [0, 0];
  let isOfOneTarget = true;
  const first = targets[order[from] as number];
  for (let i = from; i < until; i++) {
    const row = order[i] as number;
    sum += (targets[row] as number) * (weights[row] as number);
    weight += weights[row] as number;
    if (targets[row] !== first) isOfOneTarget = false;
  }
  return { sum, weight, isOfOneTarget };
}

/** The split that lowers the squared error most; null where none does. */
function bestSplit(
  columns: readonly Float64Array[],
  orders: readonly Int32Array[],
  { from, until }: Segment,
  targets: Float64Array,
  weights: Int32Array,
  { sum: total, weight: totalWeight, isOfOneTarget }: Total,
): { column: number; threshold: number } | null {
  if (isOfOneTarget) return null;
  let best: { column: number; threshold: number } | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const [k, order] of orders.entries()) {
    const column = columns[k] as Float64Array;
    let [sum, weight] = [0, 0];
    for (let i = from; i < until - 1; i++) {
      const row = order[i] as number;
      sum += (targets[row] as number) * (weights[row] as number);
      weight += weights[row] as number;
      const [value, next] = [column[row] as number, column[order[i + 1] as number] as number];
      if (value === next) continue;
      const score = (sum * sum) / weight + ((total - sum) * (total - sum)) / (totalWeight - weight);
      if (score <= bestScore) continue;
      bestScore = score;
      best = { column: k, threshold: value + (next - value) / 2 };
    }
  }
  return best;
}

/** Moves the rows of a stretch that go left to its front, each side in its order; returns where the right begins. */
function partition(order: Int32Array, { from, until }: Segment, goesLeft: Uint8Array, spare: Int32Array): number {
  let [left, right] = [from, 0];
  for (let i = from; i < until; i++) {
    const row = order[i] as number;
    if (goesLeft[row] === 1) order[left++] = row;
    else spare[right++] = row;
  }
  order.set(spare.subarray(0, right), left);
  return left;
}
