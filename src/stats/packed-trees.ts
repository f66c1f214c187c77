import { keepClass } from '../domain/kept-classes.ts';
import type { RegressionTree } from './regression-tree.ts';

/**
 * Trees one behind the other in one piece of memory. Hundreds of small trees of many models are read in no order, so
 * what a question costs is how much memory it touches: here 16 bytes a node.
 */
export class PackedTrees {
  /** Of each node what it compares with or, of a leaf, answers; then a place for two words. */
  private readonly numbers: Float64Array;
  /**
   * The same memory. The third of a node is its feature, -1 of a leaf; the fourth its link: twice its left child, and
   * one more where unknown values go there.
   */
  private readonly words: Int32Array;
  private count = 0;

  /** @param nodes of one tree at most */
  constructor(
    trees: number,
    private readonly nodes: number,
  ) {
    this.numbers = new Float64Array(2 * trees * nodes);
    this.words = new Int32Array(this.numbers.buffer);
  }

  get length(): number {
    return this.count;
  }

  /** Adds a tree, whose right children come right after the left ones. */
  push(tree: RegressionTree): void {
    const root = this.count++ * this.nodes;
    for (let node = 0; node < tree.feature.length; node++) {
      const feature = tree.feature[node] as number;
      const at = root + node;
      this.numbers[2 * at] = (feature < 0 ? tree.value[node] : tree.threshold[node]) as number;
      this.words[4 * at + 2] = feature;
      this.words[4 * at + 3] = 2 * (tree.left[node] as number) + (tree.unknownGoesLeft[node] as number);
    }
  }

  /** A first sum, and what every tree answers for a row of values that begins at `offset`. O(trees x depth). */
  sum(first: number, values: ArrayLike<number>, offset: number): number {
    let sum = first;
    for (let tree = 0; tree < this.count; tree++) {
      const root = tree * this.nodes;
      sum += this.numbers[2 * (root + this.leaf(root, values, offset))] as number;
    }
    return sum;
  }

  /** A first sum, and what the given leaf of every tree answers. */
  sumOfLeaves(first: number, leaves: Int32Array): number {
    let sum = first;
    for (let tree = 0; tree < this.count; tree++) {
      sum += this.numbers[2 * (tree * this.nodes + (leaves[tree] as number))] as number;
    }
    return sum;
  }

  /** The leaf of each tree that a row of values falls into, as the number of its node. */
  leaves(values: ArrayLike<number>, offset: number): Int32Array {
    const leaves = new Int32Array(this.count);
    for (let tree = 0; tree < this.count; tree++) leaves[tree] = this.leafOf(tree, values, offset);
    return leaves;
  }

  /** The same of one tree. */
  leafOf(tree: number, values: ArrayLike<number>, offset: number): number {
    return this.leaf(tree * this.nodes, values, offset);
  }

  private leaf(root: number, values: ArrayLike<number>, offset: number): number {
    const { numbers, words } = this;
    let node = 0;
    for (;;) {
      const at = root + node;
      const feature = words[4 * at + 2] as number;
      if (feature < 0) return node;
      const link = words[4 * at + 3] as number;
      const value = values[offset + feature] as number;
      const goesLeft = Number.isNaN(value) ? (link & 1) === 1 : value <= (numbers[2 * at] as number);
      node = (link >> 1) + (goesLeft ? 0 : 1);
    }
  }
}

keepClass(PackedTrees);
