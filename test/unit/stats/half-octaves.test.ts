import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countValue, type HalfOctaves, quantileOfCounts } from '../../../src/stats/half-octaves.ts';

const counted = (values: readonly number[]) => values.reduce<HalfOctaves>(countValue, []);

test('values fall between powers of the root of two, less one', () => {
  expect(counted([0, 0, 1, 2.9, 3])).toEqual([2, 0, 1, 1, 1]);
});

test('a quantile is the upper end of its bin, and unknown while too little is', () => {
  const counts = counted([...Array.from({ length: 99 }, () => 0), 1000]);
  expect(quantileOfCounts(counts, 0.99, 100)).toBeCloseTo(Math.SQRT2 - 1, 9);
  expect(quantileOfCounts(counts, 0.995, 100)).toBeCloseTo(2 ** 10 - 1, 9);
  expect(quantileOfCounts(counts, 0.5, 101)).toBeNull();
});

test('no more than half an octave above the value itself', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e7 }), { minLength: 1, maxLength: 200 }), (values) => {
      const sorted = [...values].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(0.9 * sorted.length) - 1] ?? 0;
      const bound = quantileOfCounts(counted(values), 0.9, 1) ?? 0;
      expect(bound).toBeGreaterThanOrEqual(exact - 1e-6);
      expect(bound + 1).toBeLessThanOrEqual((exact + 1) * Math.SQRT2 + 1e-6);
    }),
  );
});

test('old values fade', () => {
  const old = Array.from({ length: 4000 }, () => 1000);
  const recent = Array.from({ length: 8000 }, () => 1);
  expect(quantileOfCounts(counted([...old, ...recent]), 0.8, 1)).toBeLessThan(3);
});
