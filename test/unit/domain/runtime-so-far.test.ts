import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTHING_KNOWN, QUANTILE_COUNT, type RuntimeForecast } from '../../../src/domain/forecast.ts';
import { runtimeSoFar } from '../../../src/domain/runtime-so-far.ts';

function forecastOf(quantileSeconds: readonly number[], pointSeconds = Number.POSITIVE_INFINITY): RuntimeForecast {
  return { predictor: 'p', version: '1', madeAt: 0, sampleSize: 5, pointSeconds, quantileSeconds };
}

const HOUR = 3600;
const EVEN = Array.from({ length: QUANTILE_COUNT }, (_, index) => (index + 1) * 100);

test('a job that has run for three hours does not end after two', () => {
  const forecast = forecastOf(
    EVEN.map((seconds) => (seconds * 4 * HOUR) / 10_000),
    2 * HOUR,
  );
  const now = runtimeSoFar(forecast, 3 * HOUR, 4 * HOUR);
  expect(now.quantileSeconds[0]).toBeCloseTo(3.01 * HOUR, 6);
  expect(now.quantileSeconds[49]).toBeCloseTo(3.5 * HOUR, 6);
  expect(now.quantileSeconds[98]).toBeCloseTo(3.99 * HOUR, 6);
  expect(now.pointSeconds).toBeCloseTo(3.5 * HOUR, 6);
});

test('beyond all that history knows it ends anywhere before its walltime, and without one nothing is said', () => {
  const forecast = forecastOf(
    EVEN.map((seconds) => Math.min(seconds, 500)),
    400,
  );
  const bounded = runtimeSoFar(forecast, 1000, 2000);
  expect(bounded.quantileSeconds[49]).toBeCloseTo(1500, 6);
  expect(bounded.quantileSeconds[89]).toBeCloseTo(1900, 6);
  const endless = runtimeSoFar(forecast, 1000, null);
  expect(endless.quantileSeconds).toEqual(NOTHING_KNOWN);
  expect(endless.pointSeconds).toBe(Number.POSITIVE_INFINITY);
  const unknown = runtimeSoFar(forecastOf(NOTHING_KNOWN), 1000, 3000);
  expect(unknown.pointSeconds).toBeCloseTo(2000, 6);
});

test('beyond its walltime it is expected to end at once', () => {
  const over = runtimeSoFar(forecastOf(EVEN, 100), 9000, 8000);
  expect(new Set([over.pointSeconds, ...over.quantileSeconds])).toEqual(new Set([9000]));
});

const percentiles = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(0, 60, 3600), fc.double({ min: 0, max: 1e6, noNaN: true })), {
      minLength: QUANTILE_COUNT,
      maxLength: QUANTILE_COUNT,
    }),
    fc.integer({ min: 0, max: QUANTILE_COUNT }),
  )
  .map(([values, known]) =>
    values.sort((a, b) => a - b).map((value, index) => (index < known ? value : Number.POSITIVE_INFINITY)),
  );
const point = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY));
const walltime = fc.option(fc.double({ min: 1, max: 1e6, noNaN: true }), { nil: null });
const elapsed = fc.oneof(fc.constantFrom(0, 60, 3600), fc.double({ min: 0, max: 1e6, noNaN: true }));

test('whatever the forecast, what is left is ascending, beyond the elapsed time and within the walltime', () => {
  fc.assert(
    fc.property(percentiles, point, walltime, elapsed, (quantileSeconds, pointSeconds, limit, ran) => {
      const { quantileSeconds: left, pointSeconds: most } = runtimeSoFar(
        forecastOf(quantileSeconds, pointSeconds),
        ran,
        limit,
      );
      if (ran === 0) {
        expect(left).toEqual(quantileSeconds);
        return;
      }
      expect(left).toHaveLength(QUANTILE_COUNT);
      for (const [index, seconds] of [...left, most].entries()) {
        expect(seconds).toBeGreaterThanOrEqual(ran);
        if (limit !== null) expect(seconds).toBeLessThanOrEqual(Math.max(ran, limit) * (1 + 1e-9));
        if (index > 0 && index < left.length) expect(seconds).toBeGreaterThanOrEqual(left[index - 1] as number);
      }
    }),
  );
});

test('who has run longer is expected to end no earlier', () => {
  fc.assert(
    fc.property(percentiles, point, walltime, elapsed, elapsed, (quantileSeconds, pointSeconds, limit, a, b) => {
      const forecast = forecastOf(quantileSeconds, pointSeconds);
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((ran) =>
        runtimeSoFar(forecast, Math.max(1, ran), limit),
      );
      for (const [index, seconds] of (less?.quantileSeconds ?? []).entries()) {
        expect((more?.quantileSeconds[index] as number) * (1 + 1e-9) + 1e-6).toBeGreaterThanOrEqual(seconds);
      }
    }),
  );
});
