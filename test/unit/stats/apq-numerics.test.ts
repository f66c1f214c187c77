import fc from 'fast-check';
import { sampleRankCorrelation } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { chiSquareDistance } from '../../../src/stats/chi-square-distance.ts';
import { dbscan } from '../../../src/stats/dbscan.ts';
import { ridgeRegression } from '../../../src/stats/ridge-regression.ts';
import { correlationOfRanks, ranks } from '../../../src/stats/spearman.ts';

describe('chi-square distance', () => {
  test('by hand, from an offset: (.5, .5, 0) against (.25, .25, .5)', () => {
    const [p, q] = [
      [9, 0.5, 0.5, 0],
      [0.25, 0.25, 0.5],
    ];
    expect(chiSquareDistance(p, 1, q, 0, 3)).toBeCloseTo(0.0625 / 0.75 + 0.0625 / 0.75 + 0.5, 12);
  });

  test('is 0 for the same, 2 for disjoint histograms, and symmetric', () => {
    expect(chiSquareDistance([0.4, 0.6], 0, [0.4, 0.6], 0, 2)).toBe(0);
    expect(chiSquareDistance([1, 0], 0, [0, 1], 0, 2)).toBe(2);
    const bins = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(bins, bins, (p, q) => {
        expect(chiSquareDistance(p, 0, q, 0, 5)).toBeCloseTo(chiSquareDistance(q, 0, p, 0, 5), 12);
      }),
    );
  });
});

describe('DBSCAN', () => {
  test('two dense groups and a point between them', () => {
    const x = [0, 0.1, 0.2, 5, 5.1, 5.2, 2.5];
    const y = [0, 0.1, 0, 5, 5, 5.1, 2.5];
    expect([...dbscan(x, y, 0.3, 3)]).toEqual([0, 0, 0, 1, 1, 1, -1]);
  });

  test('a chain is one cluster, its ends are border points, and the radius counts as within', () => {
    expect([...dbscan([0, 1, 2, 3], [0, 0, 0, 0], 1, 3)]).toEqual([0, 0, 0, 0]);
    expect([...dbscan([0, 1, 2, 3], [0, 0, 0, 0], 0.999, 2)]).toEqual([-1, -1, -1, -1]);
  });

  test('with one point needed nobody is an outlier', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }), (x) => {
        expect(dbscan(x, x, 0.05, 1).every((label) => label >= 0)).toBe(true);
      }),
    );
  });
});

describe('Spearman', () => {
  test('ties share the mean of their ranks', () => {
    expect([...ranks([30, 10, 20, 20])]).toEqual([4, 1, 2.5, 2.5]);
  });

  test('the example of Spearman’s footrule tables: IQ against hours of television, -29/165', () => {
    const iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
    const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
    expect(correlationOfRanks(ranks(iq), ranks(hours))).toBeCloseTo(-29 / 165, 12);
  });

  test('agrees with simple-statistics where there are no ties, and is 0 for a constant', () => {
    const series = fc.uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(series, series, (x, y) => {
        expect(correlationOfRanks(ranks(x), ranks(y))).toBeCloseTo(sampleRankCorrelation(x, y), 9);
      }),
    );
    expect(correlationOfRanks(ranks([1, 2, 3]), ranks([5, 5, 5]))).toBe(0);
  });
});

describe('ridge regression', () => {
  const rows = Array.from({ length: 50 }, (_, i) => [(i * 7919) % 97, (i * 104_729) % 89]);
  const values = rows.map(([a = 0, b = 0]) => 5 + 2 * a - 3 * b);

  test('without a penalty it meets a plane', () => {
    expect(ridgeRegression(rows.flat(), values, 0).predict([10, 20])).toBeCloseTo(5 + 20 - 60, 5);
  });

  test('one feature by hand: 0, 1, 2 against 0, 2, 4 with penalty 1 halves the slope', () => {
    const model = ridgeRegression([0, 1, 2], [0, 2, 4], 1);
    expect(model.predict([1])).toBeCloseTo(2, 12);
    expect(model.predict([2])).toBeCloseTo(3, 12);
  });

  test('a feature that does not vary counts nothing, and a heavy penalty leaves the mean', () => {
    const constant = rows.flatMap(([a = 0]) => [a, 7]);
    expect(Number.isFinite(ridgeRegression(constant, values, 1e-3).predict([3, 7]))).toBe(true);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(ridgeRegression(rows.flat(), values, 1e9).predict([90, 1])).toBeCloseTo(mean, 3);
  });
});
