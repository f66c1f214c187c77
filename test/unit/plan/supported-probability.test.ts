import { expect, test } from 'vitest';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import { supportedProbability } from '../../../src/plan/supported-probability.ts';
import { offerReservation } from './at-once.ts';
import { forecastOf } from './forecast-fixture.ts';

const HOUR = 3600;

test('a past as long as fifty times the time ahead takes nothing off', () => {
  expect(supportedProbability(0.95, 50 * HOUR, HOUR)).toBe(0.95);
  expect(supportedProbability(0.95, 10, 0)).toBe(0.95);
});

test('no past at all leaves a half', () => {
  expect(supportedProbability(0.95, 0, HOUR)).toBe(0.5);
});

test('the more of the past is known, the more is left, and never more than there was', () => {
  for (const probability of [0.05, 0.5, 0.9, 0.99]) {
    let before = 0;
    for (let known = 0; known <= 60 * HOUR; known += 600) {
      const left = supportedProbability(probability, known, HOUR);
      expect(left).toBeGreaterThanOrEqual(before);
      expect(left).toBeLessThanOrEqual(probability);
      before = left;
    }
    expect(before).toBe(probability);
  }
});

test('a surer forecast stays the surer one', () => {
  for (let percent = 2; percent < 100; percent++) {
    const [less, more] = [percent - 1, percent].map((value) => supportedProbability(value / 100, HOUR, HOUR));
    expect(more).toBeGreaterThanOrEqual(less as number);
  }
});

/** What is on offer an hour ahead at a site where jobs start at once. */
function offerWith(knownPastSeconds?: number) {
  const prompt: WaitForecast = { ...forecastOf(() => 0), ...(knownPastSeconds !== undefined && { knownPastSeconds }) };
  return offerReservation({
    processors: 1,
    walltimeSeconds: 600,
    startAt: HOUR,
    holdUntilAt: HOUR,
    earliestSubmitAt: 0,
    maxWalltimeSeconds: null,
    maxChargeProcessorSeconds: null,
    probability: 0.9,
    forecastAt: () => prompt,
  });
}

test('a site known for ten minutes promises nothing high for an hour ahead, and says why', () => {
  expect(offerWith()).toMatchObject({ kind: 'PROMISE' });
  expect(offerWith(50 * HOUR)).toMatchObject({ kind: 'PROMISE' });
  const refusal = offerWith(600);
  expect(refusal).toMatchObject({ kind: 'REFUSAL', unmet: 'probability' });
  if (refusal.kind !== 'REFUSAL') return;
  expect(refusal.best?.probability).toBeCloseTo((0.99 / 6 + 1 - 1 / 300) / (1 / 6 + 2 * (1 - 1 / 300)), 2);
  expect(refusal.reason).toContain('only 10 m of its past are known, too little to promise more 1 h ahead');
});
