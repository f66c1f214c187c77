import { expect, test } from 'vitest';
import { RandomStream } from '../../../src/sim/random.ts';
import { yuleWalker } from '../../../src/stats/yule-walker.ts';

test('finds the coefficients that a process was made with', () => {
  const random = new RandomStream(7);
  const series = [0, 0];
  for (let i = 2; i < 50_000; i++) {
    series.push(0.6 * (series[i - 1] as number) - 0.3 * (series[i - 2] as number) + random.normal());
  }
  const [first = 0, second = 0, third = 0] = yuleWalker(series, 3);
  expect(first).toBeCloseTo(0.6, 1);
  expect(second).toBeCloseTo(-0.3, 1);
  expect(third).toBeCloseTo(0, 1);
});

test('of order 1 it is the autocorrelation, by hand', () => {
  // Mean 2; deviations -1 0 1 0 -1 0 1 0: variance 4, products of neighbours 0.
  expect(yuleWalker([1, 2, 3, 2, 1, 2, 3, 2], 1)[0]).toBeCloseTo(0, 12);
  // Order 2 of the same: r1 = 0, r2 = (-1 + 0 - 1 + 0 - 1 + 0) / 4.
  expect(yuleWalker([1, 2, 3, 2, 1, 2, 3, 2], 2)[1]).toBeCloseTo(-0.75, 12);
});

test('a constant series, and one that is too short, have none', () => {
  expect(yuleWalker(new Float64Array(100).fill(5), 4)).toEqual([0, 0, 0, 0]);
  expect(yuleWalker([1], 2)).toEqual([0, 0]);
});
