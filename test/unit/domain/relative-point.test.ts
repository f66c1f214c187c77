import { expect, test } from 'vitest';
import { relativePointSeconds } from '../../../src/domain/forecast.ts';

const spread = (quantileSeconds: readonly number[]) => relativePointSeconds({ quantileSeconds });

test('of one value it is that value', () => {
  expect(spread(new Array<number>(99).fill(600))).toBe(600);
});

test('of two lengths it is the likelier one', () => {
  const mostlyShort = Array.from({ length: 99 }, (_, i) => (i < 60 ? 100 : 10_000));
  const mostlyLong = Array.from({ length: 99 }, (_, i) => (i < 30 ? 100 : 10_000));
  expect([spread(mostlyShort), spread(mostlyLong)]).toEqual([100, 10_000]);
});

test('no other percentile has a smaller mean relative error', () => {
  const quantiles = Array.from({ length: 99 }, (_, i) => Math.exp(i / 12));
  const error = (said: number) =>
    quantiles.reduce((sum, actual) => sum + Math.abs(said - actual) / Math.max(1, said, actual), 0);
  const least = error(spread(quantiles));
  for (const other of quantiles) expect(error(other)).toBeGreaterThanOrEqual(least);
});

test('is not known where a percentile is not', () => {
  expect(spread([...new Array<number>(98).fill(1), Number.POSITIVE_INFINITY])).toBe(Number.POSITIVE_INFINITY);
});
