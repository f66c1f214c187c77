/**
 * Correlation of a series with itself `lag` steps later, within [-1, 1]; 0 for a constant or too short series.
 *
 * Method: the biased estimator, autocovariance over variance. Source: Box, Jenkins and Reinsel, Time Series Analysis,
 * section 2.1.
 * @param series in the order of time
 * @param lag whole number of steps, at least 1
 */
export function autocorrelation(series: ArrayLike<number>, lag: number): number {
  const length = series.length;
  if (length <= lag) return 0;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += series[i] as number;
  const mean = sum / length;
  let variance = 0;
  let covariance = 0;
  for (let i = 0; i < length; i++) {
    const deviation = (series[i] as number) - mean;
    variance += deviation * deviation;
    if (i >= lag) covariance += deviation * ((series[i - lag] as number) - mean);
  }
  return variance > 0 ? covariance / variance : 0;
}
