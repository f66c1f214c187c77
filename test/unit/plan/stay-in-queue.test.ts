import { expect, test } from 'vitest';
import { DOWN_TIME_SIGNS } from '../../../src/domain/down-time.ts';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import { chanceOfStaying } from '../../../src/plan/stay-in-queue.ts';

/** Waits spread evenly from 0 to 100 minutes. */
const even = forecast(Array.from({ length: 99 }, (_, n) => 60 * (n + 1)));

function forecast(quantileSeconds: readonly number[]): WaitForecast {
  const made = { predictor: 'test', version: '1', madeAt: 0, observedAt: 0, sampleSize: 100 };
  return { ...made, pointSeconds: quantileSeconds[49] ?? 0, quantileSeconds };
}

test('where jobs wait and none starts, staying is worth nothing, whatever else it shows', () => {
  for (const sign of DOWN_TIME_SIGNS) {
    const job = { forecast: even, waitedSeconds: 0, leftSeconds: 1e6, signs: [sign, 'NO_STARTS'] as const };
    expect(chanceOfStaying(job)).toBe(0);
  }
});

test('otherwise it is what is left of the forecast after the wait so far', () => {
  const chance = (waitedMinutes: number, leftMinutes: number) =>
    chanceOfStaying({
      signs: ['GROWING_WAITS'],
      forecast: even,
      waitedSeconds: 60 * waitedMinutes,
      leftSeconds: 60 * leftMinutes,
    });
  expect(chance(0, 50)).toBeCloseTo(0.5);
  expect(chance(50, 25)).toBeCloseTo(0.5);
  expect(chance(80, 10)).toBeCloseTo(0.5);
  expect(chance(50, 0)).toBe(0);
  expect(chance(50, -5)).toBe(0);
});

test('who has waited longer than any wait that is known has no chance left', () => {
  const job = { signs: ['UNREACHABLE'] as const, waitedSeconds: 6000, leftSeconds: 6000 };
  expect(chanceOfStaying({ ...job, forecast: even })).toBe(0);
  expect(chanceOfStaying({ ...job, forecast: forecast(Array(99).fill(Number.POSITIVE_INFINITY)) })).toBe(0);
});
