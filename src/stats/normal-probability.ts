/**
 * Probability that a standard normal variable does not exceed a value; 0 or 1 beyond eight deviations.
 *
 * Method: Taylor series about 0, to full precision there. Source: Marsaglia, Evaluating the normal distribution,
 * Journal of Statistical Software 11(4), 2004.
 */
export function normalProbability(value: number): number {
  if (value < -8) return 0;
  if (value > 8) return 1;
  let sum = 0;
  let before = -1;
  for (let term = value, i = 1; sum !== before; i++) {
    before = sum;
    sum += term;
    term *= (value * value) / (2 * i + 1);
  }
  return Math.min(1, Math.max(0, 0.5 + sum * Math.exp(-0.5 * value * value - LOG_ROOT_TWO_PI)));
}

const LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);
