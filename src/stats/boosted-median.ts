import { BoostedTrees, type BoostingParameters } from './boosted-trees.ts';

/**
 * The conditional median by boosting: each tree is grown on the signs of what is left over and answers with its leaves'
 * medians of it, so the sum of absolute errors falls.
 * Source: Friedman, Greedy function approximation, Annals of Statistics 29(5), 2001, algorithm 3 (LAD_TreeBoost).
 */
export class BoostedMedian extends BoostedTrees {
  protected readonly start: number;
  /** What the trees so far leave over of each target. */
  private readonly left: Float64Array;

  /**
   * @param values row after row of features
   * @param targets one to a row, at least one
   */
  constructor(values: Float32Array, targets: Float64Array, parameters: BoostingParameters, seed: number) {
    super(values, targets.length, parameters, seed);
    const start = medianOf(targets.slice());
    this.start = start;
    this.left = targets.map((target) => target - start);
  }

  protected directions(): Float64Array {
    return this.left.map(Math.sign);
  }

  protected answerOf(leaf: Int32Array): number {
    return medianOf(Float64Array.from(leaf, (row) => this.left[row] as number));
  }

  protected add(row: number, value: number): void {
    this.left[row] = (this.left[row] as number) - value;
  }
}

/** Lower median; sorts the values in place. */
function medianOf(values: Float64Array): number {
  return values.sort()[(values.length - 1) >> 1] as number;
}
