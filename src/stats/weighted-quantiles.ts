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
  return risingWeightedQuantiles(
    order.map((i) => values[i] as number),
    order.map((i) => weights[i] as number),
    levels,
  );
}

/**
 * The same of values that rise already. O(values + levels). A level of 0 or less gives the first value that has a
 * weight, one of 1 or more the last.
 */
export function risingWeightedQuantiles(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  levels: ArrayLike<number>,
): number[] {
  let total = 0;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    total += weights[i] as number;
    if ((weights[i] as number) > 0) last = i;
  }
  let position = 0;
  let reached = weights[0] as number;
  return Array.from(levels, (level) => {
    while (position < last && (reached === 0 || reached < level * total - 1e-12)) {
      reached += weights[++position] as number;
    }
    return values[position] as number;
  });
}
