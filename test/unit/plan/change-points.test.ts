import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changePoints } from '../../../src/plan/change-points.ts';

const trajectoryOf = (percents: readonly number[]) =>
  percents.map((percent, n) => ({
    submitAt: 30 * n,
    walltimeSeconds: 600,
    probability: percent / 100,
    expectedHoldSeconds: 0,
  }));

test('keeps the ends of each run of equal probability', () => {
  const kept = changePoints(trajectoryOf([90, 90, 90, 90, 80, 70, 70, 70]));
  expect(kept.map(({ submitAt }) => submitAt)).toEqual([0, 90, 120, 150, 210]);
});

test('what is read off between its points is what was there', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 }), (percents) => {
      const full = trajectoryOf(percents);
      const kept = changePoints(full);
      for (const { submitAt, probability } of full) {
        expect(kept.findLast((point) => point.submitAt <= submitAt)?.probability).toBe(probability);
      }
    }),
  );
});
