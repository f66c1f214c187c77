import { keepClass } from '../domain/kept-classes.ts';
import { addRow, BitCounts, wordsOf } from './bit-counts.ts';
import type { BoostedTrees } from './boosted-trees.ts';

/**
 * How much alike trees find a row of features and the rows that they were grown on: the share of the trees in which
 * both fall into the same leaf. Building is O(trees x rows x depth), some trees at a time where nobody should wait for
 * all; a question is O(trees x rows / 32).
 *
 * A leaf's number has two digits. Of each tree it is kept which rows have which digit at which place, as sets of bits:
 * for 24 leaves that is less than half of what a number for each row would take, and the rows of a leaf are those that
 * two sets have in common.
 * Source: Breiman, Random forests, Machine Learning 45 (2001), section 10 (proximities); Lin and Jeon, Random forests
 * and adaptive nearest neighbors, JASA 101 (2006).
 */
export class LeafLikeness {
  /** The sets of each tree, those of its leaves' first digits, then those of the second; and one without rows. */
  private readonly sets: Int32Array;
  /** Of each node of each tree which of its tree's leaves it is; `NO_LEAF` where no row lies. */
  private readonly numbers: Uint16Array;
  /** What digits are below. */
  private readonly base: number;
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
    this.base = Math.ceil(Math.sqrt(trees.mostLeaves));
    this.numbers = new Uint16Array(trees.length * trees.mostNodes).fill(NO_LEAF);
    this.sets = new Int32Array((trees.length * 2 * this.base + 1) * wordsOf(rows));
  }

  /** Whether all trees are taken into account; nothing may be asked before. */
  get isBuilt(): boolean {
    return this.added === this.trees.length;
  }

  /** Takes the leaves of further trees into account until about so many values were looked at, or those of all. */
  build(values = Number.POSITIVE_INFINITY): void {
    const ofATree = this.rows * Math.log2(this.trees.mostNodes);
    const trees = Math.max(1, Math.floor(values / ofATree));
    for (let i = 0; i < trees && !this.isBuilt; i++) this.addTree(this.added++);
    if (this.isBuilt) this.values = NO_ROWS;
  }

  /**
   * Of each row the number of trees, of all, that put it into the same leaves as the asked one.
   * @returns good until anybody's rows are counted again
   */
  countsFor(leaves: Int32Array): Uint16Array {
    const { base, numbers, rows, sets } = this;
    const { mostNodes } = this.trees;
    const [first, second] = [new Uint32Array(leaves.length), new Uint32Array(leaves.length)];
    for (let tree = 0; tree < leaves.length; tree++) {
      const number = numbers[tree * mostNodes + (leaves[tree] as number)] as number;
      const isEmpty = number === NO_LEAF;
      first[tree] = isEmpty ? this.emptySet : this.beginOf(tree, Math.floor(number / base));
      second[tree] = isEmpty ? this.emptySet : this.beginOf(tree, base + (number % base));
    }
    return COUNTS.of(sets, first, second, this.emptySet, rows);
  }

  private get emptySet(): number {
    return this.beginOf(this.trees.length, 0);
  }

  private beginOf(tree: number, set: number): number {
    return (tree * 2 * this.base + set) * wordsOf(this.rows);
  }

  private addTree(tree: number): void {
    const { base, numbers, rows, sets, values } = this;
    const nodes = tree * this.trees.mostNodes;
    const width = values.length / rows;
    const [begin, words] = [this.beginOf(tree, 0), wordsOf(rows)];
    let leaves = 0;
    for (let row = 0; row < rows; row++) {
      const node = nodes + this.trees.leafOf(tree, values, row * width);
      if (numbers[node] === NO_LEAF) numbers[node] = leaves++;
      const number = numbers[node] as number;
      const second = number % base;
      addRow(sets, begin + ((number - second) / base) * words, row);
      addRow(sets, begin + (base + second) * words, row);
    }
  }
}

const COUNTS = new BitCounts();
const NO_ROWS = new Float32Array(0);
const NO_LEAF = 0xff_ff;

keepClass(LeafLikeness);
