import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pinballLoss } from '../../../src/stats/pinball-loss.ts';
import { Reliability } from '../../../src/stats/reliability.ts';

test('pinball loss by hand: ten too low at .9 costs 9, ten too high costs 1', () => {
  expect(pinballLoss(0, 10, 0.9)).toBeCloseTo(9, 12);
  expect(pinballLoss(20, 10, 0.9)).toBeCloseTo(1, 12);
  expect(pinballLoss(10, 10, 0.9)).toBe(0);
});

test('the pinball loss over a sample is least at its quantile', () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  const lossAt = (q: number) => values.reduce((sum, value) => sum + pinballLoss(q, value, 0.8), 0);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 120, noNaN: true }), (q) => {
      expect(lossAt(q)).toBeGreaterThanOrEqual(lossAt(80.5) - 1e-9);
    }),
  );
});

test('Brier score by hand, and nothing without forecasts', () => {
  const reliability = new Reliability();
  expect(reliability.brierScore()).toBeNull();
  expect(reliability.diagram()).toEqual([]);
  reliability.add(0.9, true);
  reliability.add(0.9, false);
  reliability.add(0, false);
  expect(reliability.brierScore()).toBeCloseTo((0.01 + 0.81 + 0) / 3, 12);
});

test('a diagram bin holds the mean forecast and the share that came true; 1 belongs to the last bin', () => {
  const reliability = new Reliability();
  for (const [probability, happened] of [
    [0.72, true],
    [0.78, false],
    [0.7, true],
    [1, true],
  ] as const) {
    reliability.add(probability, happened);
  }
  const [seventies, top] = reliability.diagram();
  expect(seventies).toEqual({
    count: 3,
    meanForecast: expect.closeTo(2.2 / 3, 12),
    observedShare: expect.closeTo(2 / 3, 12),
  });
  expect(top).toEqual({ count: 1, meanForecast: 1, observedShare: 1 });
  expect(() => reliability.add(-0.2, true)).toThrow(RangeError);
});
