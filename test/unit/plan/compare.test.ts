import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finishOutcomes, outcomeAt, probabilityBefore } from '../../../src/plan/job/compare.ts';
import { evenForecast, forecastOf } from './forecast-fixture.ts';

const job = {
  waitQuantileSeconds: evenForecast(1000).quantileSeconds,
  runtimeQuantileSeconds: null,
  walltimeSeconds: 3600,
  leadSeconds: 0,
  earliestStartSeconds: 0,
};
const seconds = fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(Number.POSITIVE_INFINITY)), {
  minLength: 1,
  maxLength: 12,
});
const ascending = (values: number[]) => values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

test('the probability to come first is that of all pairs, half of those that come at once counted', () => {
  fc.assert(
    fc.property(seconds.map(ascending), seconds.map(ascending), (a, b) => {
      const pairs = a.flatMap((one) => b.map((other) => (one < other ? 1 : one === other ? 0.5 : 0)));
      const share = pairs.reduce<number>((sum, count) => sum + count, 0) / pairs.length;
      expect(probabilityBefore(a, b)).toBeCloseTo(share, 12);
      expect(probabilityBefore(a, b) + probabilityBefore(b, a)).toBeCloseTo(1, 12);
    }),
  );
});

test('wait and runtime come together: two even ones end first as often as their triangle says', () => {
  const runs = { ...job, runtimeQuantileSeconds: evenForecast(1000).quantileSeconds };
  const sum = finishOutcomes(runs);
  // The sum of two even quantities up to 1000 is below 1000 in half of all cases, below 500 in an eighth.
  expect(outcomeAt(sum, 0.5)).toBeCloseTo(1000, -1);
  expect(outcomeAt(sum, 0.125)).toBeCloseTo(500, -1.5);
  expect(probabilityBefore(sum, [500])).toBeCloseTo(0.125, 2);
});

test('a job runs no longer than its walltime, starts no earlier than it may, and later by its lead', () => {
  const long = { ...job, runtimeQuantileSeconds: forecastOf(() => 90_000).quantileSeconds };
  expect(Math.max(...Array.from(finishOutcomes(long)))).toBeLessThanOrEqual(1000 + 3600);
  expect(Math.min(...Array.from(finishOutcomes({ ...job, earliestStartSeconds: 800 })))).toBe(800 + 3600);
  expect(outcomeAt(finishOutcomes({ ...job, leadSeconds: 500 }), 0.5)).toBeCloseTo(500 + 500 + 3600, 6);
});

test('what history does not support comes last and is no interval', () => {
  const unknown = forecastOf((percent) => (percent > 50 ? Number.POSITIVE_INFINITY : percent));
  const finish = finishOutcomes({ ...job, waitQuantileSeconds: unknown.quantileSeconds });
  expect(probabilityBefore(finish, [1e9])).toBe(0.5);
  expect(outcomeAt(finish, 0.25)).toBeGreaterThan(3600);
  expect(outcomeAt(finish, 0.95)).toBeNull();
});
