/** Ranks of a series from 1, ties sharing their mean. O(n log n). */
export function ranks(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i);
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  const result = new Float64Array(values.length);
  for (let first = 0; first < order.length; ) {
    let end = first + 1;
    while (end < order.length && values[order[end] as number] === values[order[first] as number]) end++;
    for (let i = first; i < end; i++) result[order[i] as number] = (first + end + 1) / 2;
    first = end;
  }
  return result;
}

/**
 * Spearman's rank correlation of two series, by their ranks, within [-1, 1]; 0 when either does not vary.
 *
 * Method: Pearson's correlation of the ranks. Source: Spearman, The proof and measurement of association between two
 * things, American Journal of Psychology 15 (1904).
 */
export function correlationOfRanks(a: Float64Array, b: Float64Array): number {
  const mean = (a.length + 1) / 2;
  let [covariance, varianceA, varianceB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [da, db] = [(a[i] as number) - mean, (b[i] as number) - mean];
    covariance += da * db;
    varianceA += da * da;
    varianceB += db * db;
  }
  return varianceA > 0 && varianceB > 0 ? covariance / Math.sqrt(varianceA * varianceB) : 0;
}
