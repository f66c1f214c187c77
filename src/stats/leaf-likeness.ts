import { keepClass } from '../domain/kept-classes.ts';
import type { BoostedTrees } from './boosted-trees.ts';

/**
 * How much alike trees find a row of features and the rows that they were grown on: the share of the trees in which
 * both fall into the same leaf. Building is O(trees x rows), some trees at a time where nobody should wait for all; a
 * question is O(trees x rows in a leaf).
 * Source: Breiman, Random forests, Machine Learning 45 (2001), section 10 (proximities); Lin and Jeon, Random forests
 * and adaptive nearest neighbors, JASA 101 (2006).
 */
export class LeafLikeness {
  /** The rows of each leaf, leaf after leaf, tree after tree. */
  private readonly members: Uint16Array | Uint32Array;
  /** Where those of a leaf begin; those of the next one are where they end. */
  private readonly begins: Uint32Array;
  private added = 0;

  /**
   * @param trees that are grown
   * @param values row after row of features
   * @param rows how many, at least one
   */
  constructor(
    private readonly trees: BoostedTrees,
    private values: Float32Array,
    private readonly rows: number,
  ) {
    this.begins = new Uint32Array(trees.length * trees.mostNodes + 1);
    this.members = rows > MOST_SHORT ? new Uint32Array(trees.length * rows) : new Uint16Array(trees.length * rows);
  }

  /** Whether all trees are taken into account; nothing may be asked before. */
  get isBuilt(): boolean {
    return this.added === this.trees.length;
  }

  /** Takes the leaves of so many further trees into account, or of all that are left. O(trees x rows). */
  build(trees = Number.POSITIVE_INFINITY): void {
    for (let i = 0; i < trees && !this.isBuilt; i++) this.addTree(this.added++);
    if (this.isBuilt) this.values = NO_ROWS;
  }

  /**
   * Of each row the number of trees, of all, that put it into the same leaves as the asked one. Of a leaf that holds
   * most rows the others are counted, down from all.
   */
  countsFor(leaves: Int32Array): Uint16Array {
    const { begins, members, rows } = this;
    const { mostNodes } = this.trees;
    const counts = new Uint16Array(rows);
    let large = 0;
    for (let tree = 0; tree < leaves.length; tree++) {
      const leaf = tree * mostNodes + (leaves[tree] as number);
      const [from, to] = [begins[leaf] as number, begins[leaf + 1] as number];
      if (2 * (to - from) <= rows) {
        addToEach(counts, 1, members, from, to);
        continue;
      }
      large++;
      addToEach(counts, -1, members, tree * rows, from);
      addToEach(counts, -1, members, to, (tree + 1) * rows);
    }
    if (large > 0) for (let row = 0; row < rows; row++) counts[row] = (counts[row] as number) + large;
    return counts;
  }

  /** Sorts the rows by the leaf, by counting. */
  private addTree(tree: number): void {
    const { begins, members, rows } = this;
    const first = tree * this.trees.mostNodes;
    const width = this.values.length / rows;
    const leafOfRow = new Uint16Array(rows);
    for (let row = 0; row < rows; row++) {
      const leaf = this.trees.leafOf(tree, this.values, row * width);
      leafOfRow[row] = leaf;
      begins[first + leaf + 1] = (begins[first + leaf + 1] as number) + 1;
    }
    const last = first + this.trees.mostNodes;
    for (let leaf = first; leaf < last; leaf++)
      begins[leaf + 1] = (begins[leaf + 1] as number) + (begins[leaf] as number);
    const next = begins.slice(first, last);
    for (let row = 0; row < rows; row++) {
      const leaf = leafOfRow[row] as number;
      const at = next[leaf] as number;
      members[at] = row;
      next[leaf] = at + 1;
    }
  }
}

const NO_ROWS = new Float32Array(0);

/** A loop of its own, over indices: it runs some hundred thousand times a question. Counts go round below 0. */
function addToEach(
  counts: Uint16Array,
  more: 1 | -1,
  members: Uint16Array | Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const row = members[i] as number;
    counts[row] = (counts[row] as number) + more;
  }
}

/** Rows whose numbers fit into 16 bits. */
const MOST_SHORT = 65_536;

keepClass(LeafLikeness);
