import { describe, expect, test } from 'vitest';
import { binomialCdf } from '../../../src/stats/binomial-cdf.ts';
import { orderStatisticRank } from '../../../src/stats/order-statistic-rank.ts';

test('59 values are the fewest whose largest bounds the .95 quantile with confidence .95 (Brevik, Nurmi and Wolski 2006)', () => {
  expect(orderStatisticRank(58, 0.95, 0.95)).toBeNull();
  expect(orderStatisticRank(59, 0.95, 0.95)).toBe(59);
  expect(orderStatisticRank(299, 0.99, 0.95)).toBe(299);
  expect(orderStatisticRank(298, 0.99, 0.95)).toBeNull();
});

test.each([
  [5, 0.5, 0.95, 5],
  [4, 0.5, 0.95, null],
  [10, 0.5, 0.95, 9],
  [20, 0.5, 0.95, 15],
  [93, 0.95, 0.95, 92],
  [10, 0.9, 0.5, 10],
  [0, 0.5, 0.5, null],
])('tables of nonparametric tolerance bounds: n = %i, q = %f, c = %f', (size, quantile, confidence, rank) => {
  expect(orderStatisticRank(size, quantile, confidence)).toBe(rank);
});

test('by definition: the rank reaches the confidence and the one below does not', () => {
  for (const size of [60, 137, 500, 1000]) {
    for (const quantile of [0.01, 0.25, 0.5, 0.9, 0.95]) {
      const rank = orderStatisticRank(size, quantile, 0.9) as number;
      expect(binomialCdf(rank - 1, size, quantile)).toBeGreaterThanOrEqual(0.9);
      expect(binomialCdf(rank - 2, size, quantile)).toBeLessThan(0.9);
    }
  }
});

describe('beyond a thousand values', () => {
  test.each([1001, 6000, 20_000, 100_000])('n = %i is within one rank of the exact bound', (size) => {
    for (const quantile of [0.01, 0.1, 0.5, 0.75, 0.95, 0.99]) {
      for (const confidence of [0.5, 0.8, 0.95]) {
        const rank = orderStatisticRank(size, quantile, confidence) as number;
        expect(binomialCdf(rank, size, quantile)).toBeGreaterThanOrEqual(confidence);
        expect(binomialCdf(rank - 3, size, quantile)).toBeLessThan(confidence);
      }
    }
  });
});
