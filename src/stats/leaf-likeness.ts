import type { BoostedTrees } from './boosted-trees.ts';

/**
 * How much alike trees find a row of features and the rows that they were grown on: the share of the trees in which
 * both fall into the same leaf. Building is O(trees x rows), a question O(trees x rows in a leaf).
 * Source: Breiman, Random forests, Machine Learning 45 (2001), section 10 (proximities); Lin and Jeon, Random forests
 * and adaptive nearest neighbors, JASA 101 (2006).
 */
export class LeafLikeness {
  /** By tree, the rows of each of its leaves. */
  private readonly rowsOf: readonly (readonly Uint32Array[])[];

  /**
   * @param values row after row of features
   * @param rows how many, at least one
   */
  constructor(
    private readonly trees: BoostedTrees,
    values: Float32Array,
    private readonly rows: number,
  ) {
    this.rowsOf = rowsByLeaf(trees, values, rows);
  }

  /** Of each row the number of trees, of all, that put it with the asked one. */
  countsFor(features: ArrayLike<number>): Uint16Array {
    const counts = new Uint16Array(this.rows);
    const leaves = this.trees.leaves(features);
    for (let tree = 0; tree < leaves.length; tree++) {
      const rows = this.rowsOf[tree]?.[leaves[tree] as number];
      if (rows) countEach(counts, rows);
    }
    return counts;
  }
}

/** A loop of its own, over indices: it runs some hundred thousand times a question. */
function countEach(counts: Uint16Array, rows: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    counts[row] = (counts[row] as number) + 1;
  }
}

function rowsByLeaf(trees: BoostedTrees, values: Float32Array, rows: number): Uint32Array[][] {
  const width = values.length / rows;
  const byTree: number[][][] = [];
  for (let row = 0; row < rows; row++) {
    trees.leaves(values, row * width).forEach((leaf, tree) => {
      byTree[tree] ??= [];
      const leaves = byTree[tree] as number[][];
      leaves[leaf] ??= [];
      leaves[leaf].push(row);
    });
  }
  return byTree.map((leaves) => Array.from(leaves, (members) => Uint32Array.from(members ?? [])));
}
