import { sampleCorrelation } from 'simple-statistics';
import { expect, test } from 'vitest';
import { autocorrelation } from '../../../src/stats/autocorrelation.ts';

test('hand-computed: 1 2 3 4 at lag 1', () => {
  expect(autocorrelation([1, 2, 3, 4], 1)).toBeCloseTo(1.25 / 5, 12);
});

test('an alternating series is close to -1, at lag 2 close to 1', () => {
  const series = Array.from({ length: 1000 }, (_, i) => i % 2);
  expect(autocorrelation(series, 1)).toBeCloseTo(-1, 2);
  expect(autocorrelation(series, 2)).toBeCloseTo(1, 2);
});

test('for long series it is the correlation with the shifted series', () => {
  const series = Array.from({ length: 5000 }, (_, i) => Math.sin(i / 7) + ((i * 7919) % 13) / 13);
  expect(autocorrelation(series, 1)).toBeCloseTo(sampleCorrelation(series.slice(0, -1), series.slice(1)), 2);
});

test('constant or too short series have none', () => {
  expect(autocorrelation([3, 3, 3], 1)).toBe(0);
  expect(autocorrelation([3], 1)).toBe(0);
});
