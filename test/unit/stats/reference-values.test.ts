import { describe, expect, test } from 'vitest';
import { autocorrelation } from '../../../src/stats/autocorrelation.ts';
import { binomialCdf } from '../../../src/stats/binomial-cdf.ts';
import { chiSquareDistance } from '../../../src/stats/chi-square-distance.ts';
import { exceedanceRunLength } from '../../../src/stats/exceedance-run-length.ts';
import { locallyWeightedRegression } from '../../../src/stats/locally-weighted-regression.ts';
import { normalQuantile } from '../../../src/stats/normal-quantile.ts';
import { poissonBinomial } from '../../../src/stats/poisson-binomial.ts';
import { ridgeRegression } from '../../../src/stats/ridge-regression.ts';
import { correlationOfRanks, ranks } from '../../../src/stats/spearman.ts';

describe('values that SciPy 1.17.1 gives', () => {
  test.each([
    [3, 10, 0.3, 0.6496107184000002],
    [56, 59, 0.95, 0.5710719691927751],
    [949, 1000, 0.95, 0.462470959198575],
    [950, 1000, 0.95, 0.5202589429126815],
    [5, 5000, 0.002, 0.06689677137130322],
  ])('stats.binom.cdf(%i, %i, %f)', (successes, trials, probability, value) => {
    expect(binomialCdf(successes, trials, probability)).toBeCloseTo(value, 11);
  });

  test.each([
    [0.001, -3.090232306167813],
    [0.2, -0.8416212335729142],
    [0.9, 1.2815515655446004],
    [0.9999, 3.719016485455709],
  ])('stats.norm.ppf(%f)', (probability, value) => {
    expect(normalQuantile(probability)).toBeCloseTo(value, 6);
  });

  test('stats.spearmanr, with ties in both series', () => {
    const rho = correlationOfRanks(
      ranks([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]),
      ranks([2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5]),
    );
    expect(rho).toBeCloseTo(0.1415796863640157, 12);
  });

  test('stats.poisson_binom([.1, .5, .9, .3]).pmf', () => {
    const masses = poissonBinomial([0.1, 0.5, 0.9, 0.3]);
    [0.0315, 0.332, 0.455, 0.168, 0.0135].forEach((mass, k) => {
      expect(masses[k]).toBeCloseTo(mass, 12);
    });
  });

  /**
   * P[all of r neighbours exceed the .95 quantile] / .05 from `stats.multivariate_normal.cdf`, correlations rho^|i -
   * j|.
   */
  test.each([
    [0, [1, 0.05, 0.0025, 0.00013]],
    [0.3, [1, 0.14269, 0.02118, 0.00315, 0.00047]],
    [0.6, [1, 0.31045, 0.10659, 0.03751, 0.01328, 0.00471]],
    [0.9, [1, 0.63736, 0.44506, 0.32248, 0.23837, 0.17837]],
  ])('runs above the .95 quantile of a Gaussian series, neighbours correlate by %f', (rho, probabilities) => {
    probabilities.forEach((probability, i) => {
      const length = i + 1;
      expect(exceedanceRunLength(rho, 0.95, probability * 1.05)).toBe(length);
      if (length > 1) expect(exceedanceRunLength(rho, 0.95, probability * 0.95)).toBe(length + 1);
    });
  });
});

describe('values that NumPy 2.4.6 gives for the definitions', () => {
  test('autocovariance over variance of the first year of Box and Jenkins’ airline passengers', () => {
    const passengers = [112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118];
    expect(autocorrelation(passengers, 1)).toBeCloseTo(0.5619231594762825, 12);
    expect(autocorrelation(passengers, 2)).toBeCloseTo(-0.07818201330757685, 12);
    expect(autocorrelation(passengers, 3)).toBeCloseTo(-0.31970379909851904, 12);
  });

  test('sum((p - q)^2 / (p + q))', () => {
    expect(chiSquareDistance([0.1, 0.4, 0.5], 0, [0.3, 0.3, 0.4], 0, 3)).toBeCloseTo(0.12539682539682537, 12);
  });

  test('linalg.solve of the ridge equations, features standardised, penalty .1 a row', () => {
    const rows = [1, 2, 2, 1, 3, 5, 4, 3, 5, 8, 6, 6];
    const model = ridgeRegression(rows, [3, 4, 9, 8, 15, 12], 0.1);
    expect(model.predict([2.5, 7])).toBeCloseTo(10.540378718095218, 9);
  });

  test('linalg.lstsq of points weighted by the roots of their weights', () => {
    const points = [
      [0, 0],
      [0.2, 0.9],
      [0.5, 0.4],
      [0.8, 0.1],
      [1, 1],
      [0.3, 0.6],
    ];
    const value = locallyWeightedRegression(points, [4, 1, 7, 3, 9, 2], [1, 0.5, 2, 1, 0.25, 3], [0.4, 0.5], 0);
    expect(value).toBeCloseTo(3.7637566308517463, 9);
  });
});
