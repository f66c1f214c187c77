import { partitionPoint } from '../domain/partition-point.ts';

/**
 * Quantiles of weighted values: for each level the smallest value at which the weights of the values up to it, as a
 * share of all weights, reach the level. Equal weights give the inverse of the empirical distribution function.
 * @param values at least one
 * @param weights not negative, not all 0
 * @param levels rising, within (0, 1)
 */
export function weightedQuantiles(
  values: readonly number[],
  weights: readonly number[],
  levels: readonly number[],
): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number));
  const risingValues = Float64Array.from(order, (i) => values[i] as number);
  const theirWeights = Float64Array.from(order, (i) => weights[i] as number);
  return new RisingQuantiles(risingValues, theirWeights).at(levels);
}

/** The same of values that rise already, for levels that are asked for one after the other. */
export class RisingQuantiles {
  /** Of the last value that has a weight. */
  private readonly last: number;

  /**
   * O(values).
   * @param values rising, at least one
   * @param reached their weights, not negative, not all 0; taken over: they become the weights up to each value
   */
  constructor(
    private readonly values: Float64Array,
    private readonly reached: Float64Array,
  ) {
    let last = 0;
    let sum = 0;
    for (let i = 0; i < reached.length; i++) {
      const weight = reached[i] as number;
      sum += weight;
      reached[i] = sum;
      if (weight > 0) last = i;
    }
    this.last = last;
  }

  /**
   * O(levels x log(values)). A level of 0 or less gives the first value that has a weight, one of 1 or more the last.
   * @param levels in any order
   */
  at(levels: ArrayLike<number>): number[] {
    const { reached, last, values } = this;
    const total = reached[last] as number;
    return Array.from(levels, (level) => {
      const wanted = level * total - 1e-12;
      const isBelow = (index: number) => reached[index] === 0 || (reached[index] as number) < wanted;
      return values[partitionPoint(last, isBelow)] as number;
    });
  }
}
