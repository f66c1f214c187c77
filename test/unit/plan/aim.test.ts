import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aimedOfLeg,
  aimedProbability,
  marginAfter,
  nextMargin,
  promisableOfLegs,
  promisableProbability,
  startingMargin,
} from '../../../src/plan/aim.ts';
import { latestSubmitAt, replan } from '../../../src/plan/replan.ts';

const inside = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const anyMargin = fc.double({ min: 0, max: 0.9, noNaN: true });
const outcomes = fc.array(fc.record({ probability: inside, kept: fc.boolean() }), { maxLength: 60 });

describe('aim', () => {
  test.each([
    [0.5, 0.515625],
    [0.75, 0.78955],
    [0.95, 0.97036],
  ])('a first promise of %f is held by aiming at %f', (promised, aimed) => {
    expect(aimedProbability(promised, startingMargin(promised))).toBeCloseTo(aimed, 5);
  });

  test('is never below the promise, and within reach of a forecast unless the promise is not', () => {
    fc.assert(
      fc.property(inside, anyMargin, (promised, margin) => {
        expect(aimedProbability(promised, margin)).toBeGreaterThanOrEqual(promised);
        expect(aimedProbability(promised, margin)).toBeLessThanOrEqual(0.99);
      }),
    );
  });

  test('a forecast short of the promise asked for still allows a lower one, with the lower margin of that', () => {
    const asked = { probability: 0.9, margin: startingMargin(0.9) };
    expect(promisableProbability(0.93, asked)).toBe(0.89);
    expect(promisableProbability(0.3, asked)).toBe(0.29);
    expect(promisableProbability(0, asked)).toBe(0);
  });

  test('the best promise a forecast allows is reached by it, and one percent more is not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 98 }), inside, anyMargin, (percent, probability, margin) => {
        const learned = margin - startingMargin(probability);
        const marginOf = (promise: number) => Math.min(0.9, Math.max(0, startingMargin(promise) + learned));
        const promisable = promisableProbability(percent / 100, { probability, margin });
        const next = Math.min(0.99, promisable + 0.01);
        if (promisable > 0) {
          expect(aimedProbability(promisable, marginOf(promisable))).toBeLessThanOrEqual(percent / 100 + 1e-8);
        }
        expect(aimedProbability(next, marginOf(next))).toBeGreaterThan(percent / 100 - 1e-8);
      }),
    );
  });
});

describe('margin', () => {
  test('by hand: at .9 a miss adds .09, a kept promise takes .01', () => {
    expect(nextMargin(0.5, { probability: 0.9, kept: false })).toBeCloseTo(0.59, 12);
    expect(nextMargin(0.5, { probability: 0.9, kept: true })).toBeCloseTo(0.49, 12);
  });

  test('when as many are kept as were promised it stays where it is', () => {
    const fair = Array.from({ length: 100 }, (_, i) => ({ probability: 0.75, kept: i % 4 !== 0 }));
    expect(marginAfter(0.75, fair)).toBeCloseTo(startingMargin(0.75), 1);
  });

  test('stays within 0 and .9, and outcomes of unlike promises do not move it', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        expect(marginAfter(0.95, all)).toBeGreaterThanOrEqual(0);
        expect(marginAfter(0.95, all)).toBeLessThanOrEqual(0.9);
        const alike = all.filter(({ probability }) => probability > 0.85);
        expect(marginAfter(0.95, all)).toBe(marginAfter(0.95, alike));
      }),
    );
  });

  test('over-promising forecasts are corrected until as many are kept as promised', () => {
    let margin = startingMargin(0.9);
    let kept = 0;
    for (let i = 0; i < 2000; i++) {
      const chance = aimedProbability(0.9, margin) - 0.05;
      const isKept = ((i * 7919) % 997) / 997 < chance;
      if (i >= 1000 && isKept) kept++;
      margin = nextMargin(margin, { probability: 0.9, kept: isKept });
    }
    expect(kept / 1000).toBeCloseTo(0.9, 1.5);
  });
});

describe('legs', () => {
  test('are promised what their own level taught, and aimed at as they were promised', () => {
    const marginOf = (promise: number) => (promise > 0.85 ? 0.6 : -0.2);
    const promisable = promisableOfLegs(marginOf);
    expect([0.5, 0.8, 0.9, 0.95, 0.99].map((forecast) => promisable[Math.round(100 * forecast)])).toEqual([
      0.58, 0.83, 0.85, 0.87, 0.97,
    ]);
    for (const forecast of [0.5, 0.8, 0.95, 0.99]) {
      const promise = promisable[Math.round(100 * forecast)] as number;
      expect(aimedOfLeg(promise, marginOf(promise))).toBeLessThanOrEqual(forecast + 1e-9);
    }
  });

  test('by margins that have not changed yet they are promised less than was forecast', () => {
    const promisable = promisableOfLegs(startingMargin);
    expect(promisable).toHaveLength(100);
    for (const [percent, promise] of promisable.entries()) expect(promise).toBeLessThanOrEqual(percent / 100);
  });
});

describe('replan', () => {
  const trajectory = [0.99, 0.97, 0.96, 0.95, 0.8].map((probability, i) => ({
    submitAt: 100 * i,
    walltimeSeconds: 1000 - 100 * i,
    probability,
    expectedHoldSeconds: 400 - 100 * i,
  }));
  const held = { aimedProbability: 0.96, priceSeconds: null };

  test('as late as the aim is reached, and earlier again where it is not any more', () => {
    expect(replan(held, trajectory)?.submitAt).toBe(200);
    const worse = trajectory.map((point) => ({ ...point, probability: point.probability - 0.02 }));
    expect(replan(held, worse)?.submitAt).toBe(0);
  });

  test('the most probable when nothing reaches the aim any more', () => {
    expect(replan({ ...held, aimedProbability: 0.999 }, trajectory)?.submitAt).toBe(0);
    expect(replan(held, [])).toBeNull();
  });

  test('at a price, as late as the aim is reached, and earlier only as far as certainty is worth its holding', () => {
    expect(replan({ ...held, priceSeconds: 1e6 }, trajectory)?.submitAt).toBe(200);
    const unaimed = { ...held, aimedProbability: 0.999 };
    expect(replan({ ...unaimed, priceSeconds: 1e6 }, trajectory)?.submitAt).toBe(0);
    expect(replan({ ...unaimed, priceSeconds: 1000 }, trajectory)?.submitAt).toBe(300);
    expect(replan({ ...unaimed, priceSeconds: 100 }, trajectory)?.submitAt).toBe(400);
    expect(replan({ ...held, priceSeconds: 100 }, [])).toBeNull();
  });

  test('no later than it may be put off, but as early as it likes; the earliest where all is later', () => {
    const dear = { ...held, priceSeconds: 100, aimedProbability: 0.999 };
    expect(replan({ ...dear, latestSubmitAt: 250 }, trajectory)?.submitAt).toBe(200);
    expect(replan({ ...dear, latestSubmitAt: 1000 }, trajectory)?.submitAt).toBe(400);
    expect(replan({ ...dear, latestSubmitAt: -1 }, trajectory)?.submitAt).toBe(0);
    expect(replan({ ...dear, latestSubmitAt: 250 }, [])).toBeNull();
  });
});

describe('how far a promise may be put off at one look', () => {
  const waiting = { submitAt: 1000, startAt: 2000, priceSeconds: 1800, maxExpectedPaddingProcessorSeconds: 1e6 };
  const lookSeconds = 300;

  test('the less the surer it is, and one of .99 not at all', () => {
    expect(latestSubmitAt({ ...waiting, probability: 0.95 }, lookSeconds)).toBeCloseTo(1020, 6);
    expect(latestSubmitAt({ ...waiting, probability: 0.97 }, lookSeconds)).toBeCloseTo(1010, 6);
    expect(latestSubmitAt({ ...waiting, probability: 0.99 }, lookSeconds)).toBe(1000);
    expect(latestSubmitAt({ ...waiting, probability: 0.995 }, lookSeconds)).toBe(1000);
  });

  test('by as much an hour however often it is looked at, and never beyond its start', () => {
    expect(latestSubmitAt({ ...waiting, probability: 0.95 }, 150)).toBeCloseTo(1010, 6);
    expect(latestSubmitAt({ ...waiting, probability: 0.95 }, 1e6)).toBe(2000);
    expect(latestSubmitAt({ ...waiting, startAt: 900, probability: 0.95 }, lookSeconds)).toBe(1000);
  });

  test.each([
    ['up to .9', { probability: 0.9 }],
    ['where nothing bounds what holding costs', { probability: 0.95, maxExpectedPaddingProcessorSeconds: null }],
    ['as a leg', { probability: 0.95, priceSeconds: null }],
  ])('as far as it likes %s', (_, terms) => {
    expect(latestSubmitAt({ ...waiting, ...terms }, lookSeconds)).toBe(Number.POSITIVE_INFINITY);
  });
});
