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
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let position = 0;
  let reached = weights[order[0] as number] as number;
  return levels.map((level) => {
    while (position < order.length - 1 && reached < level * total - 1e-12) {
      reached += weights[order[++position] as number] as number;
    }
    return values[order[position] as number] as number;
  });
}
