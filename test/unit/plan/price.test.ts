import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdPriceSeconds, mostWorthPoint, pointAfterRelease } from '../../../src/plan/price.ts';

/** Submission times from early and sure to late and cheap. */
const trajectoryOf = (points: readonly (readonly [probability: number, expectedHoldSeconds: number])[]) =>
  points.map(([probability, expectedHoldSeconds], i) => ({
    submitAt: 1000 * i,
    walltimeSeconds: 600,
    probability,
    expectedHoldSeconds,
  }));
const trajectory = trajectoryOf([
  [0.95, 16_000],
  [0.9, 9000],
  [0.6, 3000],
  [0.5, 0],
]);

describe('the price of certainty', () => {
  test('is what the cheapest step over the aim takes, and more the higher the aim', () => {
    expect(holdPriceSeconds(trajectory, { probability: 0.55, margin: 0.1 })).toBeCloseTo(9000 / 0.4);
    expect(holdPriceSeconds(trajectory, { probability: 0.9, margin: 0.4 })).toBeCloseTo(7000 / 0.05);
  });

  test('is that of the most probable point where the aim is out of reach, and never below half an hour', () => {
    expect(holdPriceSeconds(trajectory, { probability: 0.99, margin: 0.9 })).toBeCloseTo(7000 / 0.05);
    expect(holdPriceSeconds(trajectory, { probability: 0.4, margin: 0.1 })).toBe(1800);
  });

  test('falls where more was kept than promised', () => {
    const usual = holdPriceSeconds(trajectory, { probability: 0.9, margin: 0.33 });
    expect(holdPriceSeconds(trajectory, { probability: 0.9, margin: -0.3 })).toBeLessThan(usual);
  });

  test('is higher the more is promised where holding is capped, four times at .95, and the same up to .75', () => {
    const ratioAt = (probability: number) =>
      holdPriceSeconds(trajectory, { probability, margin: 0, isCapped: true }) /
      holdPriceSeconds(trajectory, { probability, margin: 0 });
    expect([0.55, 0.75, 0.85, 0.95].map(ratioAt).map((ratio) => Math.round(1000 * ratio) / 1000)).toEqual([1, 1, 2, 4]);
  });

  test('buys the aim: the point worth most at a price above it reaches it, at a price below it does not', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 20_000 })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 98 }), (drawn, percent) => {
        const some = trajectoryOf(drawn.map(([probability, hold]) => [probability / 100, hold]));
        const probability = percent / 100;
        fc.pre(some.some((point) => point.probability >= probability));
        const price = holdPriceSeconds(some, { probability, margin: 0.5 * probability ** 4 });
        const bought = mostWorthPoint(some, 1.001 * price + 1)?.probability ?? 0;
        const aim = Math.min(0.99, probability + 0.5 * probability ** 4 * (1 - probability));
        const most = Math.max(...some.map((point) => point.probability));
        expect(bought).toBeGreaterThanOrEqual(Math.min(aim, most) - 1e-9);
        if (price === 1800) return;
        expect(mostWorthPoint(some, 0.999 * price - 1)?.probability).toBeLessThan(aim);
      }),
    );
  });
});

describe('processors that are held early', () => {
  const held = { priceSeconds: 40_000, holdSeconds: 18_000, leastGainSeconds: 600, releases: 0 };

  test('are given back where running later is nearly as sure at less', () => {
    expect(pointAfterRelease(held, trajectory)?.submitAt).toBe(1000);
    expect(pointAfterRelease({ ...held, priceSeconds: 1800 }, trajectory)?.submitAt).toBe(3000);
  });

  test('are kept where certainty is worth more, little is gained, it was done too often, or there is no time left', () => {
    expect(pointAfterRelease({ ...held, priceSeconds: 1e6 }, trajectory)).toBeNull();
    expect(pointAfterRelease({ ...held, holdSeconds: 500, priceSeconds: 100 }, trajectory)).toBeNull();
    expect(pointAfterRelease({ ...held, releases: 3 }, trajectory)).toBeNull();
    expect(pointAfterRelease(held, [])).toBeNull();
  });
});
