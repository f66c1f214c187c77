/**
 * Loss of a predicted quantile once the value is known: a value above it costs `level` per unit, one below `1 - level`.
 * On average least for the true quantile. Source: Koenker and Bassett, Regression quantiles, Econometrica 46 (1978).
 * @param level of the quantile, within (0, 1)
 */
export function pinballLoss(quantile: number, actual: number, level: number): number {
  return actual >= quantile ? level * (actual - quantile) : (1 - level) * (quantile - actual);
}
