import fc from 'fast-check';
import { expect, test } from 'vitest';
import { densestRanges } from '../../../../src/predict/runtime/densest-ranges.ts';

test('of two lengths of jobs the ranges are two', () => {
  const quantiles = Array.from({ length: 99 }, (_, i) => (i < 50 ? 100 + i / 10 : 5000 + i / 10));
  const ranges = densestRanges(quantiles, 0.97);
  expect(ranges.map(({ fromSeconds, toSeconds }) => [Math.floor(fromSeconds), Math.ceil(toSeconds)])).toEqual([
    [100, 105],
    [5005, 5010],
  ]);
  expect(ranges.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(0.97, 9);
});

test('one value is a range of no length', () => {
  expect(densestRanges(new Array<number>(99).fill(60), 0.8)).toEqual([
    { fromSeconds: 60, toSeconds: 60, probability: expect.closeTo(0.8, 9) },
  ]);
});

test('ranges rise, stay apart, and hold what they say', () => {
  const percentiles = fc
    .array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 99, maxLength: 99 })
    .map((values) => values.sort((a, b) => a - b));
  fc.assert(
    fc.property(percentiles, fc.integer({ min: 1, max: 98 }), (quantiles, percent) => {
      const ranges = densestRanges(quantiles, percent / 100);
      ranges.forEach(({ fromSeconds, toSeconds }, i) => {
        expect(toSeconds).toBeGreaterThanOrEqual(fromSeconds);
        expect(fromSeconds).toBeGreaterThan(ranges[i - 1]?.toSeconds ?? -1);
      });
      expect(ranges.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(percent / 100, 6);
    }),
  );
});
