import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';
import { BoostedOdds, probabilityOf } from '../../../src/stats/boosted-odds.ts';
import type { BoostingParameters } from '../../../src/stats/boosted-trees.ts';
import { randomSubset } from '../../../src/stats/random-subset.ts';

const WHOLE: BoostingParameters = {
  trees: 1,
  learningRate: 1,
  rowShare: 1,
  featureShare: 1,
  mostLeaves: 2,
  fewestRows: 1,
};

function boosted(values: Float32Array, outcomes: Uint8Array, parameters: BoostingParameters, seed = 1): BoostedOdds {
  const model = new BoostedOdds(values, outcomes, parameters, seed);
  model.grow();
  return model;
}

describe('boosted odds', () => {
  test('by hand: one tree, two leaves, each a damped step of Newton from even odds', () => {
    const model = boosted(Float32Array.of(1, 1, 2, 2), Uint8Array.of(0, 0, 1, 1), WHOLE);
    expect(model.predict([1])).toBeCloseTo(-1 / 1.5, 12);
    expect(model.predict([2])).toBeCloseTo(1 / 1.5, 12);
  });

  test('by hand: without a tree the odds of all rows and one more of each kind', () => {
    const model = boosted(Float32Array.of(1, 2, 3), Uint8Array.of(1, 1, 0), { ...WHOLE, trees: 0 });
    expect(model.predict([7])).toBeCloseTo(Math.log(3 / 2), 12);
    expect(probabilityOf(model.predict([7]))).toBeCloseTo(0.6, 12);
  });

  test('comes to the shares of two groups of rows', () => {
    const values = Float32Array.from({ length: 2000 }, (_, i) => i % 2);
    const outcomes = Uint8Array.from({ length: 2000 }, (_, i) => (i % 20 < (i % 2 ? 18 : 4) ? 1 : 0));
    const model = boosted(values, outcomes, { ...WHOLE, trees: 40, learningRate: 0.3 });
    expect(probabilityOf(model.predict([0]))).toBeCloseTo(0.2, 2);
    expect(probabilityOf(model.predict([1]))).toBeCloseTo(0.9, 2);
  });

  test('the same seed gives the same ensemble, another one another', () => {
    const values = Float32Array.from({ length: 400 }, (_, i) => (i * 7919) % 101);
    const outcomes = Uint8Array.from({ length: 200 }, (_, i) =>
      ((i * 104_729) % 37) + (values[2 * i] as number) > 70 ? 1 : 0,
    );
    const drawing = { ...WHOLE, trees: 5, rowShare: 0.5, featureShare: 0.5, mostLeaves: 8 };
    const answers = (model: BoostedOdds) => Array.from({ length: 20 }, (_, i) => model.predict(values, 2 * i));
    const [first, again, other] = [3, 3, 4].map((seed) => answers(boosted(values, outcomes, drawing, seed)));
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });
});

describe('random subset', () => {
  test('rises, holds about the share, and is never empty', () => {
    const random = xoroshiro128plus(1);
    const drawn = [...randomSubset(random, 10_000, 0.3)];
    expect(drawn.length).toBeGreaterThan(2800);
    expect(drawn.length).toBeLessThan(3200);
    expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b));
    expect([...randomSubset(random, 5, 1)]).toEqual([0, 1, 2, 3, 4]);
    expect([...randomSubset(random, 5, 1e-9)]).toEqual([0]);
  });
});
