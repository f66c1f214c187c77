import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SlotsForecast } from '../../../src/domain/forecast.ts';
import type { SubmittedJob } from '../../../src/domain/job.ts';
import type { SiteQuantity, SlotsPredictor } from '../../../src/predict/site-quantity.ts';
import { testRestored } from './describe-restored.ts';

const BEGINS_AT = 900_000_000;
const DAY = 86_400;

/** A month and a half of four users, of whom one works in the daytime only. */
function history(): SubmittedJob[] {
  return Array.from({ length: 2600 }, (_, i) => {
    const submitAt = BEGINS_AT + 1500 * i;
    const isDay = submitAt % DAY > 28_000 && submitAt % DAY < 60_000;
    return job(submitAt, isDay ? 'day' : `u${i % 3}`, ((i * 7919) % 13) + (isDay ? 16 : 1), i);
  });
}

function job(submitAt: number, user: string | null, processors: number, i: number): SubmittedJob {
  return { nativeId: `${i}`, user, queue: null, processors, requestedWalltimeSeconds: null, submitAt };
}

const oneJob = fc.record({
  user: fc.option(fc.constantFrom('ann', 'bob', 'eve', '')),
  processors: fc.integer({ min: 1, max: 1_000_000 }),
  // Most at once or in minutes, some after hours, days, months and years.
  gap: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 600 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(30 * DAY, 90 * DAY, 5000 * DAY) },
  ),
});

/** What every predictor of a quantity of sites holds to, of those that are asked for. */
export function describeSiteQuantity(quantity: SiteQuantity, isAsked: (name: string) => boolean): void {
  const [shortest = 0] = quantity.slotSeconds;

  describe.each([...quantity.predictors.keys()].filter(isAsked))(`${quantity.name}: %s`, (name) => {
    const create = (): SlotsPredictor => {
      const make = quantity.predictors.get(name);
      if (!make) throw new Error(`no predictor ${name}`);
      return make();
    };

    /** What is said before every hundredth job. */
    function saidAlong(jobs: readonly SubmittedJob[], asked = 1): SlotsForecast[] {
      const predictor = create();
      const said: SlotsForecast[] = [];
      for (const [i, one] of jobs.entries()) {
        if (i % 100 === 0) {
          const ask = () => predictor.predict({ slots: 6, slotSeconds: shortest }, null, one.submitAt);
          for (let times = 1; times < asked; times++) ask();
          said.push(ask());
        }
        predictor.submitted?.(one);
      }
      return said;
    }

    test('is called what it is registered as, and has a version', () => {
      expect(create().name).toBe(name);
      expect(create().version).not.toBe('');
    });

    test('with no history everything is infinite, and rests on nothing', () => {
      for (const slotSeconds of quantity.slotSeconds) {
        const { slots } = create().predict({ slots: 3, slotSeconds }, null, BEGINS_AT);
        expect(slots).toHaveLength(3);
        for (const slot of slots) {
          expect(slot).toMatchObject({ point: Number.POSITIVE_INFINITY, sampleSize: 0 });
          expect(slot.percentiles).toEqual(new Array(99).fill(Number.POSITIVE_INFINITY));
        }
      }
    });

    test('answers slots that follow on each other from now on, no further than can be asked', () => {
      for (const slotSeconds of quantity.slotSeconds) {
        const forecast = create().predict({ slots: 1e9, slotSeconds }, null, BEGINS_AT + 17);
        expect(forecast).toMatchObject({ predictor: name, madeAt: BEGINS_AT + 17, slotSeconds });
        expect(forecast.slots).toHaveLength(quantity.longestSeconds / slotSeconds);
        const first = forecast.slots[0]?.startsAt ?? 0;
        expect(first).toBeGreaterThanOrEqual(BEGINS_AT + 17);
        expect(first).toBeLessThan(BEGINS_AT + 17 + shortest);
        forecast.slots.forEach(({ startsAt }, i) => {
          expect(startsAt).toBe(first + i * slotSeconds);
        });
      }
    });

    test('says the same of the same past, asked often or once', () => {
      expect(saidAlong(history(), 3)).toEqual(saidAlong(history()));
    });

    test('knows nothing of the future', () => {
      const poisoned = history().map((one, i) => (i < 1200 ? one : { ...one, processors: 77_777, user: 'eve' }));
      expect(saidAlong(poisoned).slice(0, 13)).toEqual(saidAlong(history()).slice(0, 13));
    });

    test('of load that does not change, the spread learns to be around it', () => {
      const predictor = create();
      for (let i = 0; i < 8000; i++) predictor.submitted?.(job(BEGINS_AT + shortest * i, 'ann', 8, i));
      const now = BEGINS_AT + shortest * 8000;
      for (const slotSeconds of quantity.slotSeconds) {
        for (const { point, percentiles } of predictor.predict({ slots: 24, slotSeconds }, null, now).slots) {
          const all = (8 * slotSeconds) / shortest;
          expect(percentiles[0]).toBe(all);
          expect(percentiles[98]).toBe(all);
          expect(Number.isFinite(point)).toBe(true);
        }
      }
    });

    test('whatever the history, every answer is whole: never NaN, never below 0, percentiles that never fall', () => {
      fc.assert(
        fc.property(
          fc.array(oneJob, { maxLength: 60, size: 'max' }),
          fc.integer({ min: 0, max: 400 * DAY }),
          (drawn, later) => {
            const predictor = create();
            let at = BEGINS_AT;
            for (const [i, { gap, user, processors }] of drawn.entries()) {
              at += gap;
              predictor.submitted?.(job(at, user, processors, i));
            }
            for (const slotSeconds of quantity.slotSeconds) {
              for (const slot of predictor.predict({ slots: 30, slotSeconds }, null, at + later).slots) {
                expect(slot.point).toBeGreaterThanOrEqual(0);
                expect(slot.percentiles).toHaveLength(99);
                slot.percentiles.forEach((bound, i) => {
                  expect(bound >= (slot.percentiles[i - 1] ?? 0)).toBe(true);
                });
                expect(Number.isFinite(slot.point)).toBe(slot.sampleSize > 0);
              }
            }
          },
        ),
        { numRuns: 12 },
      );
    });

    testRestored(() => ({
      quantity: quantity.name,
      create,
      events: history(),
      take(predictor, one) {
        const slots = predictor as SlotsPredictor;
        const asks = Number(one.nativeId) % 50 === 0;
        const said = asks ? slots.predict({ slots: 6, slotSeconds: shortest }, null, one.submitAt) : null;
        slots.submitted?.(one);
        return said;
      },
    }));

    test('leaves what it is told as it is', () => {
      const predictor = create();
      for (const one of history().slice(0, 300)) {
        expect(() => predictor.submitted?.(Object.freeze({ ...one }))).not.toThrow();
      }
    });
  });

  test(`${quantity.name} tells amounts of submissions only, in slots of multiples of the shortest`, () => {
    const submission = job(BEGINS_AT, 'ann', 5, 1);
    expect(quantity.amountOf({ kind: 'submit', submission })).toEqual({ at: BEGINS_AT, amount: 5 });
    const record = { ...submission, startAt: BEGINS_AT + 1, endAt: null, outcome: null };
    expect(quantity.amountOf({ kind: 'start', record })).toBeNull();
    for (const seconds of quantity.slotSeconds) expect(seconds % shortest).toBe(0);
  });
}
