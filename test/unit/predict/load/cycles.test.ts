import { expect, test } from 'vitest';
import { FadingMean } from '../../../../src/predict/load/fading-mean.ts';
import { LeadBlend } from '../../../../src/predict/load/lead-blend.ts';
import { LEAD_CLASSES, leadClassOf, leadOfClass } from '../../../../src/predict/load/lead-class.ts';
import { LOAD } from '../../../../src/predict/load/load.ts';
import { RecentAmounts } from '../../../../src/predict/load/recent-amounts.ts';
import { SLOT_SECONDS, SLOTS_PER_DAY } from '../../../../src/predict/load/slots.ts';
import { WeekCycle } from '../../../../src/predict/load/week-cycle.ts';
import { createPredictor } from '../../../../src/predict/registry.ts';

test('the cycle of a user who works in the daytime is foreseen a day and a half ahead', () => {
  const predictor = createPredictor(LOAD, 'load/gridcast');
  const begin = 900_028_800 - (900_028_800 % 86_400);
  let id = 0;
  for (let slot = 0; slot < 60 * SLOTS_PER_DAY; slot++) {
    const hour = Math.floor((slot % SLOTS_PER_DAY) / 12);
    if (hour < 8 || hour >= 18 || (slot * 7919) % 10 > 3) continue;
    const submitAt = begin + slot * SLOT_SECONDS;
    const job = { nativeId: `${id++}`, user: `u${id % 3}`, queue: null, processors: 10, submitAt };
    predictor.submitted?.({ ...job, requestedWalltimeSeconds: null });
  }
  const { slots } = predictor.predict({ slots: 48, slotSeconds: 3600 }, null, begin + 60 * 86_400);
  const noon = slots[36];
  const night = slots[27];
  expect(noon?.startsAt).toBe(begin + 61 * 86_400 + 12 * 3600);
  // In the daytime 48 processors an hour, at night none.
  expect(noon?.point).toBeGreaterThan(30);
  expect(noon?.point).toBeLessThan(70);
  expect(night?.point).toBeLessThan(8);
  expect(night?.percentiles[79]).toBeLessThan(noon?.percentiles[49] ?? 0);
});

test('a cycle counts events against expectations, of the hour drawn to that of the day', () => {
  const cycle = new WeekCycle();
  expect(cycle.at(5)).toBe(1);
  for (let slot = 0; slot < 20 * 7 * SLOTS_PER_DAY; slot++) {
    cycle.expect(slot, 1);
    if (Math.floor(slot / 12) % 24 === 10) cycle.happened(slot, 3);
  }
  expect(cycle.at(10 * 12)).toBeGreaterThan(1.5);
  expect(cycle.at(20 * 12)).toBeLessThan(0.1);
  expect(cycle.at(-20 * 12)).toBeGreaterThanOrEqual(0);
});

test('a mean fades over empty slots, and is plain while there are few', () => {
  const mean = new FadingMean(100);
  expect(mean.at(7)).toBe(0);
  mean.add(1, 4);
  mean.add(2, 8);
  expect(mean.at(3)).toBe(6);
  expect(mean.at(1000)).toBeLessThan(0.001);
});

test('amounts are remembered by slot, as far as the capacity reaches', () => {
  const recent = new RecentAmounts(4);
  for (const slot of [-3, -2, 5, 6]) recent.set(slot, 10 + slot);
  expect([recent.at(6), recent.at(5), recent.at(4), recent.at(-3)]).toEqual([16, 15, 0, 0]);
  expect(recent.sumUntil(6, 4)).toBe(16 + 15 + 8 - 8);
});

test('leads fall into classes by doublings, and the middle of a class lies in it', () => {
  expect([0, 1, 2, 3, 4, 7, 8, 5000].map(leadClassOf)).toEqual([0, 1, 2, 2, 3, 3, 4, LEAD_CLASSES - 1]);
  for (let one = 0; one < LEAD_CLASSES; one++) expect(leadClassOf(leadOfClass(one))).toBe(one);
});

test('a blend learns which of its parts come true', () => {
  const blend = new LeadBlend(12);
  for (let i = 0; i < 20_000; i++) {
    const [next, day] = [(i * 7919) % 40, (i * 104_729) % 25];
    blend.learn([next, day, 10], 0.5 * next + 5, 10);
  }
  expect(blend.expected([30, 3, 10])).toBeCloseTo(20, 0);
  expect(blend.expected([0, 20, 10])).toBeCloseTo(5, 0);
});

test('jobs that only a snapshot shows have arrived, and count once when a record tells of them later', () => {
  const shown = createPredictor(LOAD, 'load/hazard');
  const told = createPredictor(LOAD, 'load/hazard');
  for (let i = 0; i < 3000; i++) {
    const submitAt = 900_000_000 + 900 * i;
    const job = { nativeId: `${i}`, user: 'ann', queue: null, processors: 4, requestedWalltimeSeconds: null, submitAt };
    told.submitted?.(job);
    const waiting = [{ ...job, key: null }];
    shown.observed?.({ observedAt: submitAt + 60, processors: 64, freeProcessors: 0, waiting, running: [] });
    // It starts at once, or only after hours: the record comes with the start.
    if (i % 2 === 0) shown.submitted?.(job);
    else if (i > 40) shown.submitted?.({ ...job, nativeId: `${i - 40}`, submitAt: submitAt - 40 * 900 });
  }
  const ask = (predictor: typeof told) =>
    predictor.predict({ slots: 12, slotSeconds: 3600 }, null, 900_000_000 + 900 * 3000).slots;
  expect(ask(shown)).toEqual(ask(told));
});
