import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LevelTracker } from '../../../../src/predict/online/level-tracker.ts';
import { RootErrors } from '../../../../src/predict/wait/gridcast/root-errors.ts';

describe('levels', () => {
  const spread = Float64Array.from({ length: 99 }, (_, i) => i + 1);

  test('at first the bounds are the quantiles of the spread', () => {
    expect([...new LevelTracker(0.01).boundsOf(spread)]).toEqual([...spread]);
  });

  test('by hand: a miss raises each level by step x level, a hit lowers it by step x (1 - level)', () => {
    const tracker = new LevelTracker(0.1);
    tracker.learn(tracker.boundsOf(spread), 1000);
    expect(tracker.boundsOf(spread)[49]).toBe(55);
    tracker.learn(tracker.boundsOf(spread), 0);
    expect(tracker.boundsOf(spread)[49]).toBe(50);
  });

  test('bounds never cross, whatever is learned', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 120, noNaN: true }), { maxLength: 200 }), (waits) => {
        const tracker = new LevelTracker(0.05);
        for (const wait of waits) tracker.learn(tracker.boundsOf(spread), wait);
        const bounds = tracker.boundsOf(spread);
        bounds.forEach((bound, i) => {
          expect(bound).toBeGreaterThanOrEqual(bounds[i - 1] ?? 0);
        });
      }),
    );
  });

  test('a spread that is wrong, and wrong in another way later, comes true all the same', () => {
    const tracker = new LevelTracker(0.005);
    const said: { bounds: Float64Array; wait: number }[] = [];
    const jobs = 8000;
    for (let i = 0; i < jobs; i++) {
      const uniform = ((i * 7919) % 1009) / 1009;
      const wait = i < jobs / 2 ? 40 + 20 * uniform : 100 * uniform ** 3;
      said.push({ bounds: tracker.boundsOf(spread), wait });
      const known = said[i - 200];
      if (known) tracker.learn(known.bounds, known.wait);
    }
    for (const percent of [50, 80, 90, 95]) {
      const within = said.filter(({ bounds, wait }) => wait <= (bounds[percent - 1] as number));
      expect(Math.abs(within.length / jobs - percent / 100)).toBeLessThan(0.02);
    }
  });
});

describe('errors of the nearest forecasts', () => {
  test('by hand: the nearest on either side, rising', () => {
    const errors = new RootErrors(10, { share: 0, fewest: 3 });
    for (const [forecast, wait] of [
      [1, 2],
      [5, 4],
      [6, 9],
      [20, 0],
    ] as const)
      errors.learn(forecast, wait);
    expect([...errors.nearest(5.4)]).toEqual([-1, 1, 3]);
    expect([...errors.nearest(100)]).toEqual([-20, -1, 3]);
  });

  test('by hand: jobs that still wait count where their forecasts are no further away, as they were told last', () => {
    const errors = new RootErrors(10, { share: 0, fewest: 2 });
    errors.tellWaiting([{ forecastRoot: 5, error: 70 }]);
    expect([...errors.nearest(5)]).toEqual([]);
    errors.learn(4, 5);
    errors.learn(7, 5);
    errors.learn(20, 0);
    expect([...errors.nearest(5)]).toEqual([-2, 1, 70]);
    errors.tellWaiting([7.1, 7, 3, 2.9].map((forecastRoot) => ({ forecastRoot, error: 10 * forecastRoot })));
    expect([...errors.nearest(5)]).toEqual([-2, 1, 30, 70]);
  });

  test('the oldest goes first, also among equals', () => {
    const errors = new RootErrors(2, { share: 0, fewest: 5 });
    errors.learn(1, 4);
    errors.learn(3, 3);
    errors.learn(7, 5);
    expect(errors.nearest(1)).toHaveLength(2);
    expect([...errors.nearest(1)]).toEqual([-2, 0]);
  });

  test('as a plain list does it', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(pairs, fc.integer({ min: -5, max: 45 }), (learned, asked) => {
        const errors = new RootErrors(1000, { share: 0.2, fewest: 7 });
        for (const [forecast, wait] of learned) errors.learn(forecast, wait);
        const distances = learned.map(([forecast]) => Math.abs(forecast - asked)).sort((a, b) => a - b);
        const found = errors.nearest(asked);
        expect(found).toHaveLength(Math.min(Math.max(7, Math.ceil(0.2 * learned.length)), learned.length));
        const reach = distances[found.length - 1] ?? 0;
        const possible = learned.filter(([forecast]) => Math.abs(forecast - asked) <= reach).map(([f, w]) => w - f);
        for (const error of found) expect(possible).toContain(error);
      }),
    );
  });
});
