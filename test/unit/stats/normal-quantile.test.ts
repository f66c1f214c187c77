import { expect, test } from 'vitest';
import { normalQuantile } from '../../../src/stats/normal-quantile.ts';

test.each([
  [0.5, 0],
  [0.75, 0.6744897502],
  [0.9, 1.2815515655],
  [0.95, 1.644853627],
  [0.975, 1.9599639845],
  [0.99, 2.326347874],
  [0.999, 3.0902323062],
  [1e-9, -5.997807015],
  [1e-15, -7.9413453262],
])('tables give for %f: %f', (probability, value) => {
  expect(normalQuantile(probability)).toBeCloseTo(value, 5);
});

test('is antisymmetric and infinite at the ends', () => {
  expect(normalQuantile(0.2)).toBeCloseTo(-normalQuantile(0.8), 9);
  expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
});
