import { expect, test } from 'vitest';
import { withinPercentiles } from '../../../src/domain/forecast.ts';

const NEVER = Number.POSITIVE_INFINITY;

test.each([
  ['below all of them', 160_981, [375_090, 375_090, 375_090], 375_090],
  ['above all of them', 500, [10, 20, 30], 30],
  ['among them', 15, [10, 20, 30], 15],
  ['with open ends', 500, [10, 20, NEVER], 500],
  ['of which not even the first is known', 500, [NEVER, NEVER], 500],
  ['with no history at all', NEVER, [NEVER, NEVER], NEVER],
])('a point %s', (_, point, quantileSeconds, expected) => {
  expect(withinPercentiles(point, quantileSeconds)).toBe(expected);
});
