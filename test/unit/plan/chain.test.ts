import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOf, mostHoldSeconds, planChain } from '../../../src/plan/job/chain.ts';

const evenly = (from: number, to: number) => Array.from({ length: 99 }, (_, n) => from + ((n + 1) / 100) * (to - from));
const unknown = new Array<number>(99).fill(Number.POSITIVE_INFINITY);
const runtime = { predictor: 'a', version: '1', madeAt: 0, sampleSize: 9, pointSeconds: 500 };
const wait = { ...runtime, observedAt: 0 };

test('a successor is submitted as long before the end as it waits', () => {
  const question = { endAt: new Array(99).fill(10_000), waitSeconds: new Array(99).fill(3000), now: 0 };
  expect(planChain({ ...question, mostHoldSeconds: 3600 })).toMatchObject({
    submitAt: 7000,
    gapSeconds: 0,
    holdSeconds: 0,
  });
  expect(planChain({ ...question, now: 8000, mostHoldSeconds: 3600 })).toMatchObject({
    submitAt: 8000,
    gapSeconds: 1000,
  });
});

test('the dearer holding is, the later it comes', () => {
  const question = { endAt: evenly(9000, 11_000), waitSeconds: evenly(0, 4000), now: 0, mostHoldSeconds: 36_000 };
  const times = [0.25, 1, 4].map((holdPrice) => planChain({ ...question, holdPrice })?.submitAt ?? 0);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBe(3);
  expect(times[1]).toBeCloseTo(8000, -2);
});

test('it is submitted so late that it seldom holds for longer than it may', () => {
  const question = { endAt: evenly(9000, 20_000), waitSeconds: new Array(99).fill(0), now: 0 };
  const patient = planChain({ ...question, mostHoldSeconds: 36_000 });
  const short = planChain({ ...question, mostHoldSeconds: 600 });
  expect(patient?.submitAt).toBeCloseTo(14_500, -2);
  expect(short?.submitAt).toBeGreaterThan(18_000);
  expect(short?.gateSeconds).toBe(600);
});

test('where nothing is known of the end or the wait nothing is submitted ahead', () => {
  const known = evenly(1000, 2000);
  for (const [endAt, waitSeconds] of [
    [unknown, known],
    [known, unknown],
  ] as const) {
    expect(planChain({ endAt, waitSeconds, now: 0, mostHoldSeconds: 600 })).toBeNull();
  }
});

test('where the highest percentiles are unknown it is submitted, and what to expect of the gap is unknown', () => {
  const upTo = (level: number) => evenly(0, 2000).map((seconds, n) => (n < level ? seconds : Number.POSITIVE_INFINITY));
  const question = { now: 0, mostHoldSeconds: 36_000 };
  const late = planChain({ ...question, endAt: evenly(9000, 11_000), waitSeconds: upTo(90) });
  expect(late).toMatchObject({ submitAt: expect.any(Number), gapSeconds: null, holdSeconds: expect.any(Number) });
  const endless = planChain({ ...question, endAt: upTo(98), waitSeconds: evenly(0, 1000) });
  expect(endless).toMatchObject({ submitAt: expect.any(Number), gapSeconds: expect.any(Number), holdSeconds: null });
});

test('no other moment costs less, but those at which it might hold for too long', () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 99, maxLength: 99 });
  fc.assert(
    fc.property(seconds, seconds, fc.integer({ min: 1, max: 8 }), (ends, waits, holdPrice) => {
      const [endAt, waitSeconds] = [ends, waits].map((list) => [...list].sort((a, b) => a - b)) as [number[], number[]];
      const plan = planChain({ endAt, waitSeconds, now: -60_000, mostHoldSeconds: 200_000, holdPrice });
      const cost = (at: number) => {
        let sum = 0;
        for (const end of endAt) {
          for (const waited of waitSeconds) {
            const lateSeconds = at + waited - end;
            sum += lateSeconds > 0 ? lateSeconds : -holdPrice * lateSeconds;
          }
        }
        return sum;
      };
      const best = cost(plan?.submitAt ?? 0);
      for (const shift of [-5000, -100, 100, 5000])
        expect(best).toBeLessThanOrEqual(cost((plan?.submitAt ?? 0) + shift));
    }),
    { numRuns: 20 },
  );
});

test('the end of a running job is told by how long it has run, of a waiting one by its wait, too', () => {
  const running = { beganAt: 1000, runtime: { ...runtime, quantileSeconds: evenly(0, 1000) }, walltimeSeconds: 2000 };
  const early = endOf({ ...running, wait: null }, 1000);
  const late = endOf({ ...running, wait: null }, 1900);
  expect(early[49]).toBeCloseTo(1500, 0);
  expect(late[0]).toBeGreaterThanOrEqual(1900);
  expect(late[49]).toBeLessThanOrEqual(3000);
  const waiting = { ...running, beganAt: null, wait: { ...wait, quantileSeconds: evenly(100, 100) } };
  expect(endOf(waiting, 500)[49]).toBeCloseTo(1100, -1);
  expect(endOf({ ...waiting, wait: null }, 500)[49]).toBe(Number.POSITIVE_INFINITY);
});

test('no more is held than the own work may take, nor than the queue has room for', () => {
  expect(mostHoldSeconds(7200, null)).toBe(7200);
  expect(mostHoldSeconds(60, null)).toBe(600);
  expect(mostHoldSeconds(7200, 9000)).toBe(1800);
});
