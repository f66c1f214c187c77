import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallerError } from '../../../src/domain/failures.ts';
import { forecastCharge } from '../../../src/plan/charge.ts';
import { holdUntil } from '../../../src/plan/hold.ts';
import type { ReservationInput } from '../../../src/plan/reserve.ts';
import { computeTrajectory, latestPointReaching, mostProbablePoint } from '../../../src/plan/trajectory.ts';
import { offerReservation } from './at-once.ts';
import { evenForecast, forecastOf } from './forecast-fixture.ts';

const START_AT = 1_000_000;
const NEVER = forecastOf(() => Number.POSITIVE_INFINITY);

/** Padded walltimes of up to two hours backfill within 2,000 s, longer ones wait up to 40,000 s. */
const input: ReservationInput = {
  processors: 4,
  walltimeSeconds: 3600,
  startAt: START_AT,
  holdUntilAt: START_AT,
  earliestSubmitAt: START_AT - 21_600,
  maxWalltimeSeconds: null,
  probability: 0.5,
  maxChargeProcessorSeconds: null,
  forecastAt: (_submitAt, walltimeSeconds) => evenForecast(walltimeSeconds <= 7200 ? 2000 : 40_000),
};

describe('trajectory', () => {
  test('a point every 30 s up to the start time, the walltime padded by the lead (figure 3 with its erratum)', () => {
    const trajectory = computeTrajectory(input);
    expect(trajectory).toHaveLength(720);
    expect(trajectory[0]).toEqual({
      submitAt: START_AT - 21_600,
      walltimeSeconds: 25_200,
      probability: 0.54,
      expectedHoldSeconds: 5832,
    });
    expect(trajectory[1]?.submitAt).toBe(START_AT - 21_570);
    expect(trajectory.at(-1)).toMatchObject({ submitAt: START_AT - 30, walltimeSeconds: 3630, probability: 0.01 });
  });

  test('the sweet spot of figure 4: shorter padding falls into another class of jobs', () => {
    const trajectory = computeTrajectory(input);
    expect(mostProbablePoint(trajectory)?.probability).toBe(0.99);
    expect(latestPointReaching(trajectory, 0.5)?.submitAt).toBe(START_AT - 1020);
    expect(latestPointReaching(trajectory, 0.995)).toBeNull();
  });

  test('a window pads to its opening, best effort pads nothing', () => {
    const window = computeTrajectory({ ...input, holdUntilAt: START_AT - 3600 });
    expect(window[0]?.walltimeSeconds).toBe(3600 + 18_000);
    expect(window.at(-1)?.walltimeSeconds).toBe(3600);
    const bestEffort = computeTrajectory({ ...input, holdUntilAt: null });
    expect(new Set(bestEffort.map((point) => point.walltimeSeconds))).toEqual(new Set([3600]));
  });

  test('work that begins at once, or when its window opens, may be over at the start time: so early a submission is no promise', () => {
    const at = (trajectory: readonly { submitAt: number; probability: number }[], leadSeconds: number) =>
      trajectory.find(({ submitAt }) => submitAt === START_AT - leadSeconds)?.probability;
    // Waits are spread evenly over 2,000 s, the work takes 3,600 s.
    const bestEffort = computeTrajectory({ ...input, holdUntilAt: null });
    expect([30, 1500, 3000, 4800, 6000].map((lead) => at(bestEffort, lead))).toEqual([0.01, 0.75, 0.99, 0.39, 0]);
    const window = computeTrajectory({ ...input, walltimeSeconds: 600, holdUntilAt: START_AT - 900 });
    expect([600, 1200, 3000].map((lead) => at(window, lead))).toEqual([0.3, 0.3, 0]);
    const longer = computeTrajectory({ ...input, walltimeSeconds: 1200, holdUntilAt: START_AT - 900 });
    expect(at(longer, 3000)).toBe(0.99);
  });

  test('submission times whose walltime the queue does not allow are left out', () => {
    const trajectory = computeTrajectory({ ...input, maxWalltimeSeconds: 7200 });
    expect(trajectory[0]?.submitAt).toBe(START_AT - 3600);
    expect(computeTrajectory({ ...input, maxWalltimeSeconds: 3600 })).toEqual([]);
  });

  test('far ahead the steps are coarser, within a day they are not', () => {
    const trajectory = computeTrajectory({ ...input, earliestSubmitAt: START_AT - 30 * 86_400 });
    expect(trajectory.length).toBeLessThan(6500);
    expect(trajectory.filter((point) => point.submitAt >= START_AT - 86_400).length).toBeGreaterThanOrEqual(2880);
  });

  test('a start time that has come has no trajectory', () => {
    expect(computeTrajectory({ ...input, earliestSubmitAt: START_AT })).toEqual([]);
  });
});

describe('charge', () => {
  test('the worked example of section 3.1 with its erratum: 4 processors held up to 2,730 s', () => {
    const charge = forecastCharge({ ...input, submitAt: START_AT - 2730, forecast: NEVER });
    expect(charge.neededProcessorSeconds).toBe(14_400);
    expect(charge.worstPaddingProcessorSeconds).toBe(10_920);
  });

  test('waits spread evenly over the lead are held half of it on average', () => {
    const charge = forecastCharge({ ...input, submitAt: START_AT - 2000, forecast: evenForecast(2000) });
    expect(charge.expectedPaddingProcessorSeconds).toBeCloseTo(4 * 1000, 6);
  });

  test('no wait at all costs nearly the worst, a wait beyond the start nearly nothing', () => {
    const at = (wait: number) =>
      forecastCharge({ ...input, submitAt: START_AT - 1000, forecast: forecastOf(() => wait) });
    expect(at(0).expectedPaddingProcessorSeconds).toBeCloseTo(0.995 * 4000, 6);
    expect(at(5000).expectedPaddingProcessorSeconds).toBeCloseTo(0.005 * 4000, 6);
  });
});

describe('offer', () => {
  test('promises the latest submission time that reaches the probability', () => {
    const offer = offerReservation(input);
    expect(offer).toMatchObject({ kind: 'PROMISE', point: { submitAt: START_AT - 1020, walltimeSeconds: 4620 } });
    expect(offer.kind === 'PROMISE' && offer.charge.worstPaddingProcessorSeconds).toBe(4 * 1020);
  });

  test('asked for no probability, promises the most probable time', () => {
    const offer = offerReservation({ ...input, probability: null });
    expect(offer).toMatchObject({ kind: 'PROMISE', point: { submitAt: START_AT - 1980, probability: 0.99 } });
  });

  test('refuses with the best probability on offer and its moment', () => {
    const offer = offerReservation({ ...input, probability: 0.995 });
    expect(offer).toMatchObject({ kind: 'REFUSAL', unmet: 'probability', best: { probability: 0.99 } });
    expect(offer.kind === 'REFUSAL' && offer.reason).toMatch(/0\.995.*0\.99, when submitted 33 m before/);
  });

  test('work that is held back is told as what is in the way only where more would be on offer without it', () => {
    const reasonOf = (mostProbability: number) => {
      const refused = offerReservation({ ...input, probability: 0.995, mostProbability });
      return refused.kind === 'REFUSAL' ? refused.reason : null;
    };
    const remark = 'work that is held back there is in the way';
    expect(reasonOf(0.5)).toContain(remark);
    expect(reasonOf(0.99)).toContain('the best is 0.99');
    expect(reasonOf(0.99)).not.toContain(remark);
  });

  test('aims above the promise by the margin, and names the best promise it could give', () => {
    const plain = offerReservation({ ...input, probability: 0.8 });
    const careful = offerReservation({ ...input, probability: 0.8, margin: 0.5 });
    expect(plain.kind === 'PROMISE' && plain.point.probability).toBe(0.81);
    expect(careful.kind === 'PROMISE' && careful.point.probability).toBe(0.9);
    const limited = { ...input, margin: 0.5, forecastAt: () => evenForecast(40_000) };
    const refused = offerReservation({ ...limited, probability: 0.5 });
    expect(refused).toMatchObject({ kind: 'REFUSAL', best: { probability: 0.54 } });
    expect(refused.kind === 'REFUSAL' && refused.reason).toMatch(/0\.5 is not on offer; the best is 0\.13/);
  });

  test('keeps within the cap on the whole charge, in the worst case', () => {
    const capped = { ...input, probability: 0.9, maxChargeProcessorSeconds: 14_400 + 4 * 1500 };
    const offer = offerReservation(capped);
    const best = { submitAt: START_AT - 1500, probability: 0.75 };
    expect(offer).toMatchObject({ kind: 'REFUSAL', unmet: 'maxPaddingProcessorSeconds', best });
    expect(offer.kind === 'REFUSAL' && offer.reason).toMatch(
      /within the cap.*0\.75.*padding of 7200 processor-seconds/,
    );
    expect(offerReservation({ ...capped, probability: 0.75 }).kind).toBe('PROMISE');
    const hopeless = offerReservation({ ...capped, maxChargeProcessorSeconds: 10 });
    expect(hopeless).toMatchObject({ kind: 'REFUSAL', unmet: 'maxPaddingProcessorSeconds', best: null });
  });

  test('says why there is no submission time at all', () => {
    const late = offerReservation({ ...input, earliestSubmitAt: START_AT + 1 });
    expect(late).toMatchObject({ kind: 'REFUSAL', unmet: 'startAt', best: null, reason: 'the start time has come' });
    const long = offerReservation({ ...input, maxWalltimeSeconds: 60 });
    expect(long).toMatchObject({ unmet: 'walltimeSeconds' });
    expect(long.kind === 'REFUSAL' && long.reason).toMatch(/limit of 1 m$/);
  });

  test('a site that knows nothing is promised nothing', () => {
    const unknown = { ...input, forecastAt: () => NEVER };
    expect(offerReservation(unknown)).toMatchObject({ kind: 'REFUSAL', best: { probability: 0 } });
    expect(offerReservation({ ...unknown, probability: null }).kind).toBe('REFUSAL');
  });

  test('whatever is asked, a promise reaches it and no later point does', () => {
    const probability = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100);
    fc.assert(
      fc.property(probability, fc.integer({ min: 100, max: 50_000 }), (wanted, longest) => {
        const offer = offerReservation({ ...input, probability: wanted, forecastAt: () => evenForecast(longest) });
        if (offer.kind === 'REFUSAL') {
          expect(offer.best?.probability).toBeLessThan(wanted);
        } else {
          expect(offer.point.probability).toBeGreaterThanOrEqual(wanted);
          const later = offer.trajectory.filter((point) => point.submitAt > offer.point.submitAt);
          expect(later.every((point) => point.probability < wanted)).toBe(true);
          expect(offer.charge.expectedPaddingProcessorSeconds).toBeLessThanOrEqual(
            offer.charge.worstPaddingProcessorSeconds,
          );
        }
      }),
    );
  });
});

test('modes hold until the start time, the opening of the window, or not', () => {
  expect(holdUntil('HOLD', 100, null)).toBe(100);
  expect(holdUntil('WINDOW', 100, 40)).toBe(40);
  expect(holdUntil('BEST_EFFORT', 100, null)).toBeNull();
  expect(() => holdUntil('WINDOW', 100, null)).toThrow(CallerError);
  expect(() => holdUntil('WINDOW', 100, 101)).toThrow(/not after startAt/);
});

test('a cap on the expected padding keeps to points that hold no longer on average, and says what would do without it', () => {
  const free = offerReservation({ ...input, probability: 0.9 });
  const expected = free.kind === 'PROMISE' ? free.charge.expectedPaddingProcessorSeconds : 0;
  const within = offerReservation({ ...input, probability: 0.9, maxExpectedPaddingProcessorSeconds: expected });
  expect(within).toEqual({ ...free, holdPriceSeconds: expect.any(Number) });
  const refused = offerReservation({ ...input, probability: 0.9, maxExpectedPaddingProcessorSeconds: 0.5 * expected });
  expect(refused).toMatchObject({ kind: 'REFUSAL', unmet: 'maxPaddingProcessorSeconds' });
  const best = refused.kind === 'REFUSAL' ? refused.best : null;
  expect(best?.probability).toBeLessThan(0.9);
  expect(4 * (best?.expectedHoldSeconds ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(0.5 * expected);
});
