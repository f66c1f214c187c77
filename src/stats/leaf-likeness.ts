import { keepClass } from '../domain/kept-classes.ts';
import type { BoostedTrees } from './boosted-trees.ts';

/**
 * How much alike trees find a row of features and the rows that they were grown on: the share of the trees in which
 * both fall into the same leaf. Building is O(trees x rows), a question O(trees x rows in a leaf).
 * Source: Breiman, Random forests, Machine Learning 45 (2001), section 10 (proximities); Lin and Jeon, Random forests
 * and adaptive nearest neighbors, JASA 101 (2006).
 */
export class LeafLikeness {
  /** The rows of each leaf, leaf after leaf, tree after tree. */
  private readonly members: Uint16Array | Uint32Array;
  /** Where those of a leaf begin; those of the next one are where they end. */
  private readonly begins: Uint32Array;
  private readonly mostLeaf: number;

  /**
   * @param values row after row of features
   * @param rows how many, at least one
   */
  constructor(
    trees: BoostedTrees,
    values: Float32Array,
    private readonly rows: number,
  ) {
    const width = values.length / rows;
    const leavesOf = Array.from({ length: rows }, (_, row) => trees.leaves(values, row * width));
    const count = leavesOf[0]?.length ?? 0;
    this.mostLeaf = leavesOf.reduce((most, leaves) => leaves.reduce((a, b) => Math.max(a, b), most), 0);
    this.begins = new Uint32Array(count * (this.mostLeaf + 1) + 1);
    this.members = rows > MOST_SHORT ? new Uint32Array(count * rows) : new Uint16Array(count * rows);
    this.fill(leavesOf);
  }

  /** Of each row the number of trees, of all, that put it into the same leaves as the asked one. */
  countsFor(leaves: Int32Array): Uint16Array {
    const counts = new Uint16Array(this.rows);
    for (let tree = 0; tree < leaves.length; tree++) {
      const leaf = tree * (this.mostLeaf + 1) + (leaves[tree] as number);
      countEach(counts, this.members, this.begins[leaf] as number, this.begins[leaf + 1] as number);
    }
    return counts;
  }

  /** Sorts the rows by tree and leaf, by counting. */
  private fill(leavesOf: readonly Int32Array[]): void {
    const { begins, members } = this;
    const leafAt = (leaf: number, tree: number) => tree * (this.mostLeaf + 1) + leaf;
    for (const leaves of leavesOf) {
      leaves.forEach((leaf, tree) => {
        begins[leafAt(leaf, tree) + 1] = (begins[leafAt(leaf, tree) + 1] as number) + 1;
      });
    }
    for (let i = 1; i < begins.length; i++) begins[i] = (begins[i] as number) + (begins[i - 1] as number);
    const next = begins.slice();
    leavesOf.forEach((leaves, row) => {
      leaves.forEach((leaf, tree) => {
        const at = next[leafAt(leaf, tree)] as number;
        members[at] = row;
        next[leafAt(leaf, tree)] = at + 1;
      });
    });
  }
}

/** A loop of its own, over indices: it runs some ten thousand times a question. */
function countEach(counts: Uint16Array, members: Uint16Array | Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const row = members[i] as number;
    counts[row] = (counts[row] as number) + 1;
  }
}

/** Rows whose numbers fit into 16 bits. */
const MOST_SHORT = 65_536;

keepClass(LeafLikeness);
