import { Matrix, solve } from 'ml-matrix';
import { autocorrelation } from './autocorrelation.ts';

/**
 * Coefficients of an autoregressive process of the given order, that of the last value first, by the Yule-Walker
 * equations with the biased autocorrelation; zeros of a series that is constant. Source: Stoica and Moses, Introduction
 * to Spectral Analysis, section 3.4.
 * @param series in the order of time
 * @param order at least 1
 */
export function yuleWalker(series: ArrayLike<number>, order: number): number[] {
  const correlations = [1, ...Array.from({ length: order }, (_, i) => autocorrelation(series, i + 1))];
  const rows = Array.from({ length: order }, (_, a) =>
    Array.from({ length: order }, (_, b) => correlations[Math.abs(a - b)] as number),
  );
  return solve(new Matrix(rows), Matrix.columnVector(correlations.slice(1))).to1DArray();
}
