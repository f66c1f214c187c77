import { binomialCdf } from './binomial-cdf.ts';
import { normalQuantile } from './normal-quantile.ts';

/**
 * Rank, counted from 1, of the order statistic that is an upper bound of a quantile with the given confidence, whatever
 * the distribution: the smallest k with P[Binomial(n, quantile) <= k - 1] >= confidence. Null when even the largest of
 * the sample is no such bound (1 - quantile^n < confidence).
 *
 * Method: exact binomial up to 1,000 values; beyond, the Cornish-Fisher expansion with its skewness term, within one
 * rank of exact.
 * Source: Brevik, Nurmi and Wolski, Predicting bounds on queuing delay, PPoPP 2006, section 3; Johnson, Kemp and Kotz,
 * Univariate Discrete Distributions, 3rd edition, section 3.6.
 * @param sampleSize number of independent values, n >= 0
 * @param quantile within (0, 1)
 * @param confidence within (0, 1)
 */
export function orderStatisticRank(sampleSize: number, quantile: number, confidence: number): number | null {
  if (sampleSize === 0 || 1 - quantile ** sampleSize < confidence) return null;
  const guess = Math.min(sampleSize - 1, Math.max(0, approximateBinomialQuantile(sampleSize, quantile, confidence)));
  return (
    (sampleSize > LARGEST_EXACT_SAMPLE ? guess : exactBinomialQuantile(sampleSize, quantile, confidence, guess)) + 1
  );
}

/** Smallest m with P[Binomial(n, p) <= m] >= confidence, by Cornish-Fisher with continuity correction. */
function approximateBinomialQuantile(trials: number, probability: number, confidence: number): number {
  const deviation = Math.sqrt(trials * probability * (1 - probability));
  const z = normalQuantile(confidence);
  return Math.ceil(trials * probability + deviation * z + ((1 - 2 * probability) * (z * z - 1)) / 6 - 0.5);
}

/** The same exactly: walks from a guess that is at most a few steps off. */
function exactBinomialQuantile(trials: number, probability: number, confidence: number, guess: number): number {
  let m = guess;
  while (binomialCdf(m, trials, probability) < confidence) m++;
  while (m > 0 && binomialCdf(m - 1, trials, probability) >= confidence) m--;
  return m;
}

const LARGEST_EXACT_SAMPLE = 1000;
