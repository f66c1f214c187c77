import { binomialDistribution } from 'simple-statistics';
import { expect, test } from 'vitest';
import { binomialCdf } from '../../../src/stats/binomial-cdf.ts';

test('hand-computed: two heads of three fair coins at most', () => {
  expect(binomialCdf(2, 3, 0.5)).toBeCloseTo(7 / 8, 12);
  expect(binomialCdf(0, 3, 0.5)).toBeCloseTo(1 / 8, 12);
});

test('outside the support and at certain probabilities', () => {
  expect(binomialCdf(-1, 3, 0.5)).toBe(0);
  expect(binomialCdf(3, 3, 0.5)).toBe(1);
  expect(binomialCdf(1, 3, 0)).toBe(1);
  expect(binomialCdf(1, 3, 1)).toBe(0);
});

test.each([
  [10, 0.3],
  [59, 0.95],
  [200, 0.01],
])('agrees with the summed probabilities of simple-statistics for n = %i, p = %f', (trials, probability) => {
  let sum = 0;
  binomialDistribution(trials, probability)?.forEach((mass, k) => {
    sum += mass;
    expect(binomialCdf(k, trials, probability)).toBeCloseTo(sum, 4);
  });
});

test('is exact where it can be written down: all of 59 below the .95 quantile', () => {
  expect(1 - binomialCdf(58, 59, 0.95)).toBeCloseTo(0.95 ** 59, 12);
});

test('stays stable for a hundred thousand trials: the median is within half a deviation of the mean', () => {
  expect(binomialCdf(95_000, 100_000, 0.95)).toBeCloseTo(0.5, 1);
  expect(binomialCdf(94_000, 100_000, 0.95)).toBeLessThan(1e-40);
  expect(binomialCdf(96_000, 100_000, 0.95)).toBeGreaterThan(1 - 1e-12);
});
