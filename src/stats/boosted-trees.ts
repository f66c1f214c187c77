import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type KeptClass, keepClass } from '../domain/kept-classes.ts';
import { binColumn } from './binned-columns.ts';
import { PackedTrees } from './packed-trees.ts';
import { randomSubset } from './random-subset.ts';
import { growTree, mostNodes, type TreeLimits, type TreeTargets, treeValue } from './regression-tree.ts';

/** How an ensemble is boosted. */
export interface BoostingParameters extends TreeLimits {
  readonly trees: number;
  /**
   * Boostings that begin anew, each with its part of the trees; what is said is their mean, which hangs less on what is
   * drawn. One unless told.
   */
  readonly courses?: number;
  /** Share of each tree's answer that is taken over. */
  readonly learningRate: number;
  /** Share of the rows, drawn anew, that each tree is grown on. */
  readonly rowShare: number;
  /** Share of the features, drawn anew, that each tree may split on. */
  readonly featureShare: number;
}

/**
 * What all boosted ensembles have in common; a loss makes one of it. Values that are not numbers are unknown, which may
 * tell something, too. Columns are binned and trees are grown when the caller has the time. The same seed gives the
 * same trees.
 * Source: Friedman, Greedy function approximation, Annals of Statistics 29(5), 2001, algorithm 1, with the row sampling
 * of his Stochastic gradient boosting, 2002.
 */
export abstract class BoostedTrees {
  /** The columns so far; none once all trees are grown: they are most of what an ensemble takes. */
  private table: { readonly columns: Uint8Array[]; readonly ends: Float64Array[] } = { columns: [], ends: [] };
  private readonly width: number;
  private readonly random;
  private readonly trees: PackedTrees;

  /**
   * @param values row after row of features
   * @param rows how many, at least one
   */
  constructor(
    private values: Float32Array,
    private readonly rows: number,
    private readonly parameters: BoostingParameters,
    seed: number,
  ) {
    this.width = values.length / rows;
    this.random = xoroshiro128plus(seed);
    this.trees = new PackedTrees(parameters.trees, mostNodes(parameters));
  }

  get isGrown(): boolean {
    return this.trees.length >= this.parameters.trees;
  }

  /** Trees so far. */
  get length(): number {
    return this.trees.length;
  }

  /** Nodes of one tree at most; the number of a leaf is below it. */
  get mostNodes(): number {
    return mostNodes(this.parameters);
  }

  /** Leaves of one tree at most. */
  get mostLeaves(): number {
    return this.parameters.mostLeaves;
  }

  /**
   * Goes on until about so many values were looked at, or until all trees are grown: bins a column, or adds a tree once
   * all are binned, at least one of either.
   */
  grow(values = Number.POSITIVE_INFINITY): void {
    for (let left = values; !this.isGrown && (left === values || left >= this.nextValues); ) {
      left -= this.nextValues;
      if (this.isBinned) this.growOne();
      else this.binNext();
      if (this.isGrown) this.forgetRows();
    }
  }

  /** What the ensemble says of a row of features that begins at `offset`. O(trees x depth). */
  predict(values: ArrayLike<number>, offset = 0): number {
    return this.trees.sum(this.start, values, offset);
  }

  /** The same of a row whose leaves are known. */
  predictOf(leaves: Int32Array): number {
    return this.trees.sumOfLeaves(this.start, leaves);
  }

  /** The leaf of each tree that a row of features falls into, as the number of a node below twice the most leaves. */
  leaves(values: ArrayLike<number>, offset = 0): Int32Array {
    return this.trees.leaves(values, offset);
  }

  /** The same of one tree, by its number. O(depth). */
  leafOf(tree: number, values: ArrayLike<number>, offset = 0): number {
    return this.trees.leafOf(tree, values, offset);
  }

  /** What is said without a tree. */
  protected abstract readonly start: number;

  /** By row, where the loss falls fastest: what the next tree is grown on. */
  protected abstract directions(): TreeTargets;

  /** What lowers the loss of a leaf's rows most; asked after `directions`. */
  protected abstract answerOf(leaf: Int32Array): number;

  /** Forgets what the trees so far have taken over: the next ones are another course. */
  protected abstract restart(): void;

  /** Takes over what a tree of the present course adds for a row. */
  protected abstract add(row: number, value: number): void;

  /** All trees are grown: the rows are asked for no more. */
  protected forgetRows(): void {
    this.table = { columns: [], ends: [] };
    this.values = NO_ROWS;
  }

  private get isBinned(): boolean {
    return this.table.columns.length === this.width;
  }

  /** How many values the next column or tree takes, about. */
  private get nextValues(): number {
    const { rowShare, featureShare, mostLeaves } = this.parameters;
    if (!this.isBinned) return this.rows * Math.log2(this.rows + 1);
    return this.rows * rowShare * this.width * featureShare * Math.log2(mostLeaves);
  }

  private binNext(): void {
    const { columns, ends } = this.table;
    const column = binColumn(this.values, this.width, columns.length);
    columns.push(column.bins);
    ends.push(column.ends);
  }

  private growOne(): void {
    const { trees, courses = 1, rowShare, featureShare, learningRate } = this.parameters;
    const { rows, width } = this;
    const drawn = randomSubset(this.random, rows, rowShare);
    const features = randomSubset(this.random, width, featureShare);
    if (this.length > 0 && this.length % Math.ceil(trees / courses) === 0) this.restart();
    const answerOf = (leaf: Int32Array) => (learningRate / courses) * this.answerOf(leaf);
    const tree = growTree(this.table, drawn, this.directions(), features, this.parameters, answerOf);
    for (let row = 0; row < rows; row++) this.add(row, courses * treeValue(tree, this.values, row * width));
    this.trees.push(tree);
  }
}

const NO_ROWS = new Float32Array(0);

keepClass(xoroshiro128plus(0).constructor as KeptClass);
