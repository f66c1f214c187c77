import { expect, test } from 'vitest';
import { shareWithin, valueAtShare } from '../../../src/stats/percentile-spread.ts';

const even = Array.from({ length: 99 }, (_, index) => (index + 1) * 10);

test('between two percentiles a spread is even, and from 0 to the first', () => {
  expect(shareWithin(even, 5)).toBeCloseTo(0.005, 9);
  expect(shareWithin(even, 105)).toBeCloseTo(0.105, 9);
  expect(valueAtShare(even, 0.105)).toBeCloseTo(105, 9);
  expect(valueAtShare(even, 0)).toBe(0);
  expect(valueAtShare(even, 0.99)).toBe(990);
});

test('what many have is there all at once', () => {
  const half = even.map((_, index) => (index < 50 ? 0 : 100));
  expect(shareWithin(half, 0)).toBe(0.5);
  expect(shareWithin(half, 100)).toBe(0.99);
  expect(shareWithin(half, -1)).toBe(0);
});

test('beyond the last percentile, and up to an infinite one, nothing is known', () => {
  const some = even.map((seconds, index) => (index < 30 ? seconds : Number.POSITIVE_INFINITY));
  expect(shareWithin(some, 1e9)).toBe(0.3);
  expect(valueAtShare(some, 0.3)).toBe(300);
  expect(valueAtShare(some, 0.301)).toBe(Number.POSITIVE_INFINITY);
  expect(valueAtShare(even, 0.995)).toBe(Number.POSITIVE_INFINITY);
});
