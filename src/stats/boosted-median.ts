import { keepClass } from '../domain/kept-classes.ts';
import { BoostedTrees, type BoostingParameters } from './boosted-trees.ts';
import type { TreeTargets } from './regression-tree.ts';
import { weightedMedian } from './weighted-median.ts';

/**
 * The conditional median by boosting: each tree is grown on the signs of what is left over and answers with its leaves'
 * medians of it, so the sum of absolute errors falls. Rows may count more or less than others.
 * Source: Friedman, Greedy function approximation, Annals of Statistics 29(5), 2001, algorithm 3 (LAD_TreeBoost).
 */
export class BoostedMedian extends BoostedTrees {
  protected readonly start: number;
  /** What the trees so far leave over of each target. */
  private left: Float64Array;
  private targets: Float64Array;

  /**
   * @param values row after row of features
   * @param targets one to a row, at least one
   * @param weights above 0, one to a row; all rows count alike where there are none
   */
  constructor(
    values: Float32Array,
    targets: Float64Array,
    parameters: BoostingParameters,
    seed: number,
    private weights: Float64Array | null = null,
  ) {
    super(values, targets.length, parameters, seed);
    this.targets = targets;
    const start = weights ? weightedMedian(targets, weights) : medianOf(targets.slice());
    this.start = start;
    this.left = targets.map((target) => target - start);
  }

  protected restart(): void {
    this.left = this.targets.map((target) => target - this.start);
  }

  protected directions(): TreeTargets {
    const { weights } = this;
    const values = this.left.map((left, row) => Math.sign(left) * (weights?.[row] ?? 1));
    return { values, weights };
  }

  protected answerOf(leaf: Int32Array): number {
    const left = Float64Array.from(leaf, (row) => this.left[row] as number);
    const { weights } = this;
    return weights
      ? weightedMedian(
          left,
          Float64Array.from(leaf, (row) => weights[row] as number),
        )
      : medianOf(left);
  }

  protected add(row: number, value: number): void {
    this.left[row] = (this.left[row] as number) - value;
  }

  protected override forgetRows(): void {
    super.forgetRows();
    this.left = new Float64Array(0);
    this.targets = this.left;
    this.weights = null;
  }
}

/** Lower median; sorts the values in place. */
function medianOf(values: Float64Array): number {
  return values.sort()[(values.length - 1) >> 1] as number;
}

keepClass(BoostedMedian);
