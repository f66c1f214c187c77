import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { linearRegression } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { geneticSearch } from '../../../src/stats/genetic-search.ts';
import { locallyWeightedRegression } from '../../../src/stats/locally-weighted-regression.ts';
import { weightedQuantiles } from '../../../src/stats/weighted-quantiles.ts';

describe('weighted quantiles', () => {
  test('by hand: 10, 20 and 30 with weights 1, 2 and 1', () => {
    expect(weightedQuantiles([30, 10, 20], [1, 1, 2], [0.2, 0.25, 0.26, 0.75, 0.76])).toEqual([10, 10, 20, 20, 30]);
  });

  test('a value without weight is never an answer unless it is the smallest', () => {
    expect(weightedQuantiles([1, 2, 3], [1, 0, 1], [0.01, 0.5, 0.51, 0.99])).toEqual([1, 1, 3, 3]);
  });

  test('by definition: the share of the weights up to it reaches the level, and that below it does not', () => {
    const entry = fc.record({ value: fc.integer({ min: 0, max: 30 }), weight: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 40 }), (sample) => {
        const levels = [0.123, 0.456, 0.789];
        const [values, weights] = [sample.map(({ value }) => value), sample.map(({ weight }) => weight)];
        const shareOf = (isIn: (value: number) => boolean) =>
          sample.reduce((sum, { value, weight }) => sum + (isIn(value) ? weight : 0), 0) /
          weights.reduce((sum, weight) => sum + weight, 0);
        weightedQuantiles(values, weights, levels).forEach((found, i) => {
          expect(shareOf((value) => value <= found)).toBeGreaterThanOrEqual((levels[i] as number) - 1e-9);
          expect(shareOf((value) => value < found)).toBeLessThan(levels[i] as number);
        });
      }),
    );
  });
});

describe('locally weighted regression', () => {
  test('points on a plane are met exactly, whatever the weights', () => {
    const points = [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
      [0.3, 0.8],
    ];
    const values = points.map(([x = 0, y = 0]) => 3 + 2 * x - y);
    expect(locallyWeightedRegression(points, values, [1, 2, 3, 4, 5], [0.4, 0.7], 0)).toBeCloseTo(3.1, 9);
  });

  test('with equal weights it is the ordinary regression of simple-statistics', () => {
    const pairs: [number, number][] = Array.from({ length: 30 }, (_, i) => [i / 30, ((i * 7919) % 97) + i]);
    const { m, b } = linearRegression(pairs);
    const at = (x: number) =>
      locallyWeightedRegression(
        pairs.map(([p]) => [p]),
        pairs.map(([, v]) => v),
        pairs.map(() => 1),
        [x],
        0,
      );
    expect(at(0.37)).toBeCloseTo(m * 0.37 + b, 6);
  });

  test('only points with weight count, and a single point gives its value', () => {
    expect(locallyWeightedRegression([[0], [1], [5]], [10, 20, 999], [1, 1, 0], [0.5], 0)).toBeCloseTo(15, 9);
    expect(locallyWeightedRegression([[0.2]], [42], [1], [0.2])).toBeCloseTo(42, 9);
  });
});

describe('genetic search', () => {
  const target = [0.1, 0.9, 0.5, 0.3];
  const distance = (genes: Float64Array) =>
    genes.reduce((sum, gene, i) => sum + (gene - (target[i] as number)) ** 2, 0);
  const search = (generations: number, seed = 5) =>
    geneticSearch(distance, { genes: 4, populationSize: 40, generations, random: xoroshiro128plus(seed) });

  test('comes closer with the generations, and near the best', () => {
    expect(distance(search(60))).toBeLessThanOrEqual(distance(search(0)));
    expect(distance(search(60))).toBeLessThan(0.02);
  });

  test('keeps the genes within their range, and repeats with the seed', () => {
    expect(search(20)).toEqual(search(20));
    expect(search(20).every((gene) => gene >= 0 && gene <= 1)).toBe(true);
  });

  test('is never worse than all ones, which it starts with', () => {
    const cost = (genes: Float64Array) => -genes.reduce((sum, gene) => sum + gene, 0);
    const best = geneticSearch(cost, { genes: 3, populationSize: 4, generations: 1, random: xoroshiro128plus(1) });
    expect([...best]).toEqual([1, 1, 1]);
  });
});
