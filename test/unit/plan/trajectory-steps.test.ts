import fc from 'fast-check';
import { expect, test } from 'vitest';
import { probabilityToStartWithin, type WaitForecast } from '../../../src/domain/forecast.ts';
import type { TrajectoryPoint } from '../../../src/domain/plan.ts';
import { changePoints } from '../../../src/plan/change-points.ts';
import { expectedHoldSeconds } from '../../../src/plan/hold.ts';
import {
  computeTrajectory,
  firstCommonSubmitAt,
  latestPointReaching,
  mostProbablePoint,
} from '../../../src/plan/trajectory.ts';
import { evenForecast } from './forecast-fixture.ts';

const DAY = 86_400;
const WALLTIME = 3600;

/** Waits spread evenly up to a longest one, which grows in steps of at least an hour of walltime. */
const site = fc.record({
  shortest: fc.integer({ min: 60, max: 2 * DAY }),
  growth: fc.integer({ min: 0, max: 6 * 3600 }),
  stepHours: fc.integer({ min: 1, max: 24 }),
});

function forecaster({ shortest, growth, stepHours }: { shortest: number; growth: number; stepHours: number }) {
  return (walltimeSeconds: number): WaitForecast => {
    const longest = shortest + growth * Math.floor(walltimeSeconds / (stepHours * 3600));
    return evenForecast(longest);
  };
}

/** The trajectory of the paper: a point every 30 s, however far ahead. */
function everyThirtySeconds(
  startAt: number,
  forecastFor: (walltimeSeconds: number) => WaitForecast,
): TrajectoryPoint[] {
  return Array.from({ length: startAt / 30 }, (_, i) => {
    const submitAt = i * 30;
    const walltimeSeconds = WALLTIME + startAt - submitAt;
    const probability = probabilityToStartWithin(forecastFor(walltimeSeconds), startAt - submitAt);
    const expected = expectedHoldSeconds(startAt, submitAt, forecastFor(walltimeSeconds));
    return { submitAt, walltimeSeconds, probability, expectedHoldSeconds: expected };
  });
}

const trajectoryTo = (startAt: number, forecastFor: (walltimeSeconds: number) => WaitForecast, earliestSubmitAt = 0) =>
  computeTrajectory({
    walltimeSeconds: WALLTIME,
    startAt,
    holdUntilAt: startAt,
    earliestSubmitAt,
    maxWalltimeSeconds: null,
    forecastAt: (_, walltimeSeconds) => forecastFor(walltimeSeconds),
  });

test('coarser steps far ahead promise what 30 s would, hardly earlier', () => {
  fc.assert(
    fc.property(site, fc.integer({ min: 2, max: 3 }), fc.integer({ min: 5, max: 99 }), (known, days, percent) => {
      const startAt = days * DAY;
      const forecastFor = forecaster(known);
      const coarse = trajectoryTo(startAt, forecastFor);
      const fine = everyThirtySeconds(startAt, forecastFor);
      expect(coarse.length).toBeLessThan(fine.length / 1.5);
      const [chosen, exact] = [coarse, fine].map((points) => latestPointReaching(points, percent / 100));
      // A probability that is reached for less than a step is passed over, one that is exceeded by so much is not.
      const exceeded = latestPointReaching(fine, (percent + 2) / 100);
      if (!exact) expect(chosen).toBeNull();
      if (!exact || startAt - exact.submitAt <= DAY) expect(chosen).toEqual(exact);
      else if (chosen) {
        expect(chosen.probability).toBeGreaterThanOrEqual(percent / 100);
        expect(exact.submitAt - chosen.submitAt).toBeGreaterThanOrEqual(0);
        expect(chosen.submitAt).toBeGreaterThanOrEqual(exceeded?.submitAt ?? 0);
      } else expect(mostProbablePoint(coarse)?.probability).toBeGreaterThanOrEqual(percent / 100 - 0.02);
    }),
    { numRuns: 40, examples: [[{ shortest: 160_552, growth: 21_590, stepHours: 13 }, 2, 67]] },
  );
});

test('within a day the steps are the paper’s', () => {
  fc.assert(
    fc.property(site, (known) => {
      const forecastFor = forecaster(known);
      expect(trajectoryTo(DAY, forecastFor)).toEqual(everyThirtySeconds(DAY, forecastFor));
    }),
    { numRuns: 20 },
  );
});

test('trajectories computed at different times have their submission times in common', () => {
  const forecastFor = forecaster({ shortest: 7200, growth: 600, stepHours: 2 });
  const startAt = 20_010;
  const early = new Map(
    trajectoryTo(startAt, forecastFor, firstCommonSubmitAt(startAt, 17)).map((one) => [one.submitAt, one]),
  );
  const late = trajectoryTo(startAt, forecastFor, firstCommonSubmitAt(startAt, 9999));
  expect(late.length).toBeGreaterThan(300);
  for (const point of late) expect(early.get(point.submitAt)).toEqual(point);
});

test('change points are enough to read the probability anywhere', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 }), (percents) => {
      const trajectory = percents.map((percent, i) => ({
        submitAt: 30 * i,
        walltimeSeconds: 1,
        probability: percent / 100,
        expectedHoldSeconds: 0,
      }));
      const kept = changePoints(trajectory);
      for (const point of trajectory) {
        const before = kept.findLast(({ submitAt }) => submitAt <= point.submitAt);
        const after = kept.find(({ submitAt }) => submitAt >= point.submitAt);
        expect([before?.probability, after?.probability]).toEqual([point.probability, point.probability]);
      }
    }),
  );
});
