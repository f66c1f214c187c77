import { keepClass } from '../domain/kept-classes.ts';
import { BoostedTrees, type BoostingParameters } from './boosted-trees.ts';
import type { TreeTargets } from './regression-tree.ts';

/**
 * The conditional logarithm of the odds of an outcome by boosting: each tree is grown on what the probabilities so far
 * leave over of the outcomes and answers with a step of Newton's towards more likelihood, damped where leaves are small
 * or sure.
 * Source: Friedman, Greedy function approximation, Annals of Statistics 29(5), 2001, algorithm 5 (L2_TreeBoost).
 */
export class BoostedOdds extends BoostedTrees {
  protected readonly start: number;
  /** By the trees so far, of each row. */
  private logOdds: Float64Array;
  private probabilities: Float64Array;

  /**
   * @param values row after row of features
   * @param outcomes 0 or 1, one to a row, at least one
   */
  constructor(
    values: Float32Array,
    private outcomes: Uint8Array,
    parameters: BoostingParameters,
    seed: number,
  ) {
    super(values, outcomes.length, parameters, seed);
    const ones = outcomes.reduce((sum, outcome) => sum + outcome, 0);
    this.start = Math.log((ones + 1) / (outcomes.length - ones + 1));
    this.logOdds = new Float64Array(outcomes.length).fill(this.start);
    this.probabilities = new Float64Array(outcomes.length);
  }

  protected directions(): TreeTargets {
    for (let row = 0; row < this.logOdds.length; row++) {
      this.probabilities[row] = probabilityOf(this.logOdds[row] as number);
    }
    const values = this.probabilities.map((probability, row) => (this.outcomes[row] as number) - probability);
    return { values, weights: null };
  }

  protected answerOf(leaf: Int32Array): number {
    let [slope, curvature] = [0, DAMPING];
    for (const row of leaf) {
      const probability = this.probabilities[row] as number;
      slope += (this.outcomes[row] as number) - probability;
      curvature += probability * (1 - probability);
    }
    return slope / curvature;
  }

  protected restart(): void {
    this.logOdds.fill(this.start);
  }

  protected add(row: number, value: number): void {
    this.logOdds[row] = (this.logOdds[row] as number) + value;
  }

  protected override forgetRows(): void {
    super.forgetRows();
    this.logOdds = new Float64Array(0);
    this.probabilities = new Float64Array(0);
    this.outcomes = new Uint8Array(0);
  }
}

/** Probability of the odds with that logarithm. */
export function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

const DAMPING = 1;

keepClass(BoostedOdds);
