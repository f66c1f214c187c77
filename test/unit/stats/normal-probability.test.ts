import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gaussianRankCorrelation, normalScores } from '../../../src/stats/gaussian-rank-correlation.ts';
import { normalProbability } from '../../../src/stats/normal-probability.ts';
import { normalQuantile } from '../../../src/stats/normal-quantile.ts';

test('known values', () => {
  expect(normalProbability(0)).toBe(0.5);
  expect(normalProbability(1.959963985)).toBeCloseTo(0.975, 9);
  expect(normalProbability(-3)).toBeCloseTo(0.001349898, 9);
  expect(normalProbability(9)).toBe(1);
});

test('undoes the quantile', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), (probability) => {
      expect(normalProbability(normalQuantile(probability))).toBeCloseTo(probability, 6);
    }),
  );
});

test('normal scores of three values are the quartiles; ties share theirs', () => {
  expect(normalScores([30, 10, 20]).map((score) => Math.round(score * 1e4) / 1e4)).toEqual([0.6745, -0.6745, 0]);
  expect(normalScores([5, 5])).toEqual([0, 0]);
});

test('Gaussian rank correlation sees order only', () => {
  const a = [1, 2, 3, 4, 5, 6];
  expect(gaussianRankCorrelation(a, a.map(Math.exp))).toBeCloseTo(1, 12);
  expect(
    gaussianRankCorrelation(
      a,
      a.map((value) => -value),
    ),
  ).toBeCloseTo(-1, 12);
  expect(gaussianRankCorrelation(a, [7, 7, 7, 7, 7, 7])).toBe(0);
});
