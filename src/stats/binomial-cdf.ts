import { gammaln } from 'simple-statistics';

/**
 * Probability that a binomial variable is at most `successes`.
 *
 * Method: the regularised incomplete beta function I_{1-p}(n - k, k + 1), by its continued fraction in Lentz's form.
 * Source: Press et al., Numerical Recipes, 3rd edition, section 6.4; Abramowitz and Stegun 26.5.24.
 * @param successes whole number; below 0 gives 0, from `trials` on gives 1
 * @param probability of one success, within [0, 1]
 */
export function binomialCdf(successes: number, trials: number, probability: number): number {
  if (successes < 0) return 0;
  if (successes >= trials || probability <= 0) return 1;
  if (probability >= 1) return 0;
  return regularisedIncompleteBeta(trials - successes, successes + 1, 1 - probability);
}

function regularisedIncompleteBeta(a: number, b: number, x: number): number {
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaContinuedFraction(a, b, x)) / a
    : 1 - (front * betaContinuedFraction(b, a, 1 - x)) / b;
}

function betaContinuedFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) return fraction;
  }
  throw new RangeError(`incomplete beta did not converge for a = ${a}, b = ${b}, x = ${x}`);
}

function awayFromZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

const MAX_TERMS = 10_000;
