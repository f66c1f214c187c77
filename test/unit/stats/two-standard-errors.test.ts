import { expect, test } from 'vitest';
import { binomialCdf } from '../../../src/stats/binomial-cdf.ts';
import { twoStandardErrors } from '../../../src/stats/two-standard-errors.ts';

test('two standard errors of a share are those of a binomial distribution', () => {
  expect(twoStandardErrors(0.8, 400)).toBeCloseTo(0.04, 12);
  expect(twoStandardErrors(0.5, 100)).toBeCloseTo(0.1, 12);
});

test.each([
  10, 30, 100, 1000,
])('where all of %i came true, the share that would bring fewer in 95 %% of cases', (trials) => {
  const margin = twoStandardErrors(1, trials);
  expect(margin).toBe(twoStandardErrors(0, trials));
  // None missed, though so many of a hundred would: that is as improbable as it is told to be.
  expect(binomialCdf(0, trials, margin)).toBeGreaterThan(0.02);
  expect(binomialCdf(0, trials, margin)).toBeLessThanOrEqual(0.05);
});

test('of few trials nothing is certain', () => {
  expect(twoStandardErrors(1, 2)).toBe(1);
  expect(twoStandardErrors(Number.NaN, 0)).toBeNaN();
});
