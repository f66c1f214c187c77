import { normalQuantile } from './normal-quantile.ts';

/**
 * Correlation of two series after both are given normal margins by their ranks, within [-1, 1]: consistent for the
 * parameter of a Gaussian copula, whatever the margins. Ties share the mean of their ranks; 0 for a constant or too
 * short series.
 *
 * Source: Boudt, Cornelissen and Croux, The Gaussian rank correlation estimator: robustness properties, Statistics and
 * Computing 22 (2012), equation 1.
 * @param a, b of one length
 */
export function gaussianRankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [normalScores(a), normalScores(b)];
  const sumOf = (product: (i: number) => number) => x.reduce((sum, _, i) => sum + product(i), 0);
  const scale = Math.sqrt(sumOf((i) => (x[i] as number) ** 2) * sumOf((i) => (y[i] as number) ** 2));
  return scale > 0 ? sumOf((i) => (x[i] as number) * (y[i] as number)) / scale : 0;
}

/** The normal quantile of every value's rank over the number of values plus one. */
export function normalScores(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] as number) - (values[j] as number));
  const scores = new Array<number>(values.length).fill(0);
  for (let first = 0; first < order.length; ) {
    let last = first;
    while (last + 1 < order.length && values[order[last + 1] as number] === values[order[first] as number]) last++;
    const score = normalQuantile(((first + last) / 2 + 1) / (values.length + 1));
    for (let i = first; i <= last; i++) scores[order[i] as number] = score;
    first = last + 1;
  }
  return scores;
}
