/**
 * Distribution of the number of successes among independent trials of unequal probabilities: entry k of the result is
 * the probability of exactly k successes.
 *
 * Method: convolution, one trial at a time, exact up to rounding. Source: Hong, On computing the distribution function
 * for the Poisson binomial distribution, Computational Statistics and Data Analysis 59 (2013), section 2.
 * @param probabilities each within [0, 1]
 */
export function poissonBinomial(probabilities: readonly number[]): number[] {
  let distribution = [1];
  for (const probability of probabilities) {
    const next = new Array<number>(distribution.length + 1).fill(0);
    distribution.forEach((mass, successes) => {
      next[successes] = (next[successes] ?? 0) + mass * (1 - probability);
      next[successes + 1] = mass * probability;
    });
    distribution = next;
  }
  return distribution;
}

/** Probability of at least `successes` successes among independent trials. */
export function probabilityOfAtLeast(successes: number, probabilities: readonly number[]): number {
  const upper = poissonBinomial(probabilities).slice(Math.max(0, successes));
  return Math.min(
    1,
    upper.reduce((sum, mass) => sum + mass, 0),
  );
}
