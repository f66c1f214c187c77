import { expect, test } from 'vitest';
import {
  aimedFinish,
  fadedShift,
  finishShiftAfter,
  NO_OUTCOME,
  nextFinishShift,
  promisableFinish,
} from '../../../../src/plan/deadline/finish-aim.ts';
import { RandomStream } from '../../../../src/sim/random.ts';

/** Shift before any outcome. */
const FIRST = 0.5;

test('without a shift a forecast is worth what it says; before any outcome it is worth a little less', () => {
  expect(finishShiftAfter(0.8, [], 0)).toBe(FIRST);
  expect(promisableFinish(0.868, FIRST)).toBeCloseTo(0.8, 3);
  for (const probability of [0.01, 0.5, 0.8, 0.95, 0.99]) {
    expect(aimedFinish(probability, 0)).toBeCloseTo(probability, 9);
    expect(promisableFinish(probability, 0)).toBeCloseTo(probability, 9);
  }
  expect(promisableFinish(0, -1)).toBe(0);
});

test('what is aimed at is worth what was asked for, whatever the shift', () => {
  for (const shift of [-1, -0.3, 0.4, 1]) {
    for (const probability of [0.3, 0.5, 0.8]) {
      expect(promisableFinish(aimedFinish(probability, shift), shift)).toBeCloseTo(probability, 9);
    }
  }
  expect(aimedFinish(0.95, 3)).toBe(0.99);
});

test('missed promises raise the aim of their like alone, kept ones lower it', () => {
  const missed = [{ probability: 0.9, kept: false, at: 100 }];
  expect(finishShiftAfter(0.95, missed, 100)).toBeGreaterThan(FIRST);
  expect(finishShiftAfter(0.5, missed, 100)).toBe(FIRST);
  expect(nextFinishShift(NO_OUTCOME, { probability: 0.5, kept: true, at: 100 }).shift).toBeLessThan(FIRST);
});

test.each([
  0.5, 0.8, 0.95,
])('forecasts that are too sure, or too cautious, come to keep %d of the promises', (probability) => {
  for (const error of [-0.8, 0.8]) {
    const random = new RandomStream(7);
    let learned = NO_OUTCOME;
    let kept = 0;
    const promises = 4000;
    for (let n = 0; n < promises; n++) {
      const aim = aimedFinish(probability, learned.shift);
      const odds = (aim / (1 - aim)) * Math.exp(error);
      const isKept = random.uniform() < odds / (1 + odds);
      if (isKept) kept++;
      learned = nextFinishShift(learned, { probability, kept: isKept, at: 60 * n });
    }
    expect(Math.abs(kept / promises - probability)).toBeLessThan(0.02);
  }
});

test('a burst of misses that refuses everything is forgotten in time', () => {
  const at = 1_780_000_000;
  const burst = Array.from({ length: 100 }, () => ({ probability: 0.95, kept: false, at }));
  const shift = finishShiftAfter(0.95, burst, at);
  expect(shift).toBe(3);
  const day = 86_400;
  expect(finishShiftAfter(0.95, burst, at + day)).toBe(shift);
  expect(finishShiftAfter(0.95, burst, at + 31 * day)).toBeCloseTo(FIRST + (shift - FIRST) / Math.E, 9);
  expect(fadedShift({ shift, at }, at - 10)).toBe(shift);
});
