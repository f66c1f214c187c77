/**
 * Distance of two histograms over the same bins: the sum of (p - q)^2 / (p + q) over the bins that are not empty in
 * both. Within [0, 2] for histograms whose bins add up to 1. Source: hariharan-end-to-end-predictions, equation 1.
 * @param p bins from `pOffset` on
 * @param q bins from `qOffset` on
 */
export function chiSquareDistance(
  p: ArrayLike<number>,
  pOffset: number,
  q: ArrayLike<number>,
  qOffset: number,
  bins: number,
): number {
  let distance = 0;
  for (let i = 0; i < bins; i++) {
    const [a, b] = [p[pOffset + i] as number, q[qOffset + i] as number];
    if (a + b > 0) distance += ((a - b) * (a - b)) / (a + b);
  }
  return distance;
}
