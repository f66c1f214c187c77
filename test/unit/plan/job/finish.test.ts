import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTHING_KNOWN, QUANTILE_COUNT } from '../../../../src/domain/forecast.ts';
import { finishForecast, type JobSpreads } from '../../../../src/plan/job/finish.ts';

const NONE = new Array<number>(QUANTILE_COUNT).fill(0);
const even = (most: number) => Array.from({ length: QUANTILE_COUNT }, (_, index) => ((index + 1) * most) / 100);
const always = (seconds: number) => new Array<number>(QUANTILE_COUNT).fill(seconds);

const JOB: JobSpreads = {
  submitAt: 1000,
  waitQuantileSeconds: NONE,
  runtimeQuantileSeconds: even(100),
  walltimeSeconds: 1000,
};

test('a job that starts at once finishes as its runtime says', () => {
  const finish = finishForecast(JOB);
  expect(finish.probabilityBy(1050)).toBeCloseTo(0.5 * 0.99, 2);
  expect(finish.probabilityBy(999)).toBe(0);
  expect(finish.probabilityBy(1_000_000)).toBeLessThanOrEqual(0.99);
});

test('a wait and a runtime add up: two even spreads make a triangle', () => {
  const finish = finishForecast({ ...JOB, waitQuantileSeconds: even(100) });
  expect(finish.probabilityBy(1050)).toBeCloseTo(0.125, 2);
  expect(finish.probabilityBy(1100)).toBeCloseTo(0.5, 2);
  expect(finish.probabilityBy(1150)).toBeCloseTo(0.875, 1);
});

test('what its walltime kills is never finished, however late', () => {
  const finish = finishForecast({ ...JOB, walltimeSeconds: 60 });
  expect(finish.most).toBeCloseTo(0.6 * 0.99, 9);
  expect(finish.probabilityBy(1_000_000)).toBeCloseTo(0.6 * 0.99, 9);
  expect(finish.earliestAt(0.65)).toBeNull();
  const wholly = finishForecast({ ...JOB, runtimeQuantileSeconds: always(60), walltimeSeconds: 60 });
  // Runtimes below the first percentile may still be shorter.
  expect(wholly.most).toBeLessThan(0.01);
});

test('where nothing is known of wait or runtime there is no probability', () => {
  for (const unknown of [{ waitQuantileSeconds: NOTHING_KNOWN }, { runtimeQuantileSeconds: NOTHING_KNOWN }]) {
    const finish = finishForecast({ ...JOB, ...unknown });
    expect(finish.most).toBe(0);
    expect(finish.probabilityBy(1e9)).toBe(0);
    expect(finish.earliestAt(0.01)).toBeNull();
  }
});

const percentiles = fc
  .array(
    fc.oneof(fc.constantFrom(0, 60, 3600, Number.POSITIVE_INFINITY), fc.double({ min: 0, max: 1e6, noNaN: true })),
    {
      minLength: QUANTILE_COUNT,
      maxLength: QUANTILE_COUNT,
    },
  )
  .map((values) => values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));

test('it never falls with time, stays within 0 and .99, and the earliest moment is where it is first reached', () => {
  fc.assert(
    fc.property(
      percentiles,
      percentiles,
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.array(fc.integer({ min: -10, max: 3_000_000 }), { minLength: 2, maxLength: 20 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (waitQuantileSeconds, runtimeQuantileSeconds, walltimeSeconds, moments, probability) => {
        const finish = finishForecast({ submitAt: 0, waitQuantileSeconds, runtimeQuantileSeconds, walltimeSeconds });
        let before = 0;
        for (const at of moments.sort((a, b) => a - b)) {
          const now = finish.probabilityBy(at);
          expect(now).toBeGreaterThanOrEqual(before);
          expect(now).toBeLessThanOrEqual(finish.most + 1e-9);
          before = now;
        }
        expect(finish.most).toBeLessThanOrEqual(0.99);
        const at = finish.earliestAt(probability);
        if (at === null) expect(finish.most).toBeLessThan(probability);
        else {
          expect(finish.probabilityBy(at)).toBeGreaterThanOrEqual(probability - 1e-9);
          expect(finish.probabilityBy(at - 1)).toBeLessThan(probability);
        }
      },
    ),
  );
});
