import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTHING_KNOWN, probabilityToStartWithin, QUANTILE_COUNT } from '../../../src/domain/forecast.ts';
import { LARGEST_RISK, LEAST_RISK, walltimeAtRisk } from '../../../src/plan/job/walltime.ts';

const FREE = { requestedSeconds: null, limitSeconds: null };
const EVEN = Array.from({ length: QUANTILE_COUNT }, (_, index) => (index + 1) * 100);
const even = { quantileSeconds: EVEN, sampleSize: 200 };

test.each([
  [0.5, 5040],
  [0.2, 8040],
  [0.1, 9000],
  [0.05, 9540],
  [0.01, 9900],
])('at a risk of %d the walltime is %d s, in whole minutes', (risk, walltimeSeconds) => {
  const advised = walltimeAtRisk(even, risk, FREE);
  expect(advised).toMatchObject({ walltimeSeconds, because: null });
  expect(advised.killedProbability).toBeLessThanOrEqual(risk);
});

test('below a risk of one percent runtimes thin out as between the last two percentiles', () => {
  const quantileSeconds = EVEN.map((seconds, index) => (index < 98 ? seconds : 19_600));
  const at = (risk: number) => walltimeAtRisk({ quantileSeconds, sampleSize: 500 }, risk, FREE).walltimeSeconds;
  expect(at(0.01)).toBe(19_620);
  expect(at(0.005)).toBe(39_240);
});

test('it is never above the request, and what is a whole minute stays one', () => {
  expect(walltimeAtRisk(even, 0.05, { ...FREE, requestedSeconds: 9510 }).walltimeSeconds).toBe(9510);
  expect(walltimeAtRisk(even, 0.1, { ...FREE, requestedSeconds: 9001 }).walltimeSeconds).toBe(9000);
  expect(walltimeAtRisk(even, 0.05, { ...FREE, requestedSeconds: 40 }).walltimeSeconds).toBe(40);
});

test('what rests on a single run like it tells no walltime below the one that is stated', () => {
  const single = { quantileSeconds: EVEN, sampleSize: 1.4 };
  const because = 'at most 5 h is asked for, 1 known runtime like it is too few to tell a walltime at 0.5 % risk';
  expect(walltimeAtRisk(single, 0.005, { ...FREE, requestedSeconds: 18_000 })).toMatchObject({
    walltimeSeconds: 18_000,
    because,
  });
  expect(walltimeAtRisk(single, 0.5, FREE)).toMatchObject({ walltimeSeconds: null, killedProbability: null });
  expect(walltimeAtRisk({ ...single, sampleSize: 1.6 }, 0.5, FREE).walltimeSeconds).toBe(5040);
});

test('a queue that allows less is kept to, and what that risks is said', () => {
  const advised = walltimeAtRisk(even, 0.05, { ...FREE, limitSeconds: 6000 });
  expect(advised.walltimeSeconds).toBe(6000);
  expect(advised.killedProbability).toBeCloseTo(0.4, 9);
  expect(advised.because).toBe('the queue allows 1 h 40 m, 5 % risk needs 2 h 39 m');
});

test('so is a request that leaves less than the risk needs, and what it risks is said', () => {
  const bounded = (quantileSeconds: number[], requestedSeconds: number) =>
    walltimeAtRisk({ quantileSeconds, sampleSize: 200 }, 0.05, { ...FREE, requestedSeconds });
  expect(bounded(EVEN, 3600)).toEqual({
    walltimeSeconds: 3600,
    killedProbability: 0.64,
    because: 'at most 1 h is asked for, 5 % risk needs 2 h 39 m',
  });
  // Not a whole minute, and yet not outlasted.
  expect(bounded(EVEN, 9510)).toEqual({ walltimeSeconds: 9510, killedProbability: 0.05, because: null });
  const few = EVEN.map((seconds, index) => (index < 60 ? seconds : Infinity));
  expect(bounded(few, 3600)).toMatchObject({
    because: 'at most 1 h is asked for, 200 known runtimes like it are too few to tell a walltime at 5 % risk',
  });
});

test('where nothing is known, or too little, there is no advice but a reason', () => {
  expect(walltimeAtRisk({ quantileSeconds: NOTHING_KNOWN, sampleSize: 0 }, 0.05, FREE)).toEqual({
    walltimeSeconds: null,
    killedProbability: null,
    because: 'nothing is known of how long such jobs run',
  });
  // Requested walltimes alone are no knowledge of runtimes.
  expect(walltimeAtRisk({ quantileSeconds: EVEN, sampleSize: 0 }, 0.05, FREE).walltimeSeconds).toBeNull();
  const few = { quantileSeconds: EVEN.map((seconds, index) => (index < 60 ? seconds : Infinity)), sampleSize: 3 };
  expect(walltimeAtRisk(few, 0.5, FREE).walltimeSeconds).toBe(5040);
  expect(walltimeAtRisk(few, 0.05, FREE)).toMatchObject({
    walltimeSeconds: null,
    because: '3 known runtimes like it are too few to tell a walltime at 5 % risk',
  });
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
const bound = fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: null });
const risk = fc.double({ min: LEAST_RISK, max: LARGEST_RISK, noNaN: true });

test('whatever is known, advice is a finite walltime within its bounds, and no longer at a larger risk', () => {
  fc.assert(
    fc.property(percentiles, bound, bound, risk, risk, (quantileSeconds, requestedSeconds, limitSeconds, a, b) => {
      const runtime = { quantileSeconds, sampleSize: 9 };
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((risk) =>
        walltimeAtRisk(runtime, risk, { requestedSeconds, limitSeconds }),
      );
      for (const advised of [less, more]) {
        const { walltimeSeconds = null, killedProbability = null, because = null } = advised ?? {};
        if (walltimeSeconds === null) {
          expect([killedProbability, because === null]).toEqual([null, false]);
          continue;
        }
        expect(walltimeSeconds).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(walltimeSeconds)).toBe(true);
        expect(walltimeSeconds).toBeLessThanOrEqual(Math.min(requestedSeconds ?? Infinity, limitSeconds ?? Infinity));
        const outlasting = 1 - probabilityToStartWithin(runtime, walltimeSeconds);
        const stated = advised === less ? Math.min(a, b) : Math.max(a, b);
        expect(killedProbability).toBe(because === null ? Math.min(stated, outlasting) : outlasting);
        if (because === null) expect(outlasting).toBeLessThanOrEqual(Math.max(stated, 0.01) + 1e-9);
        else expect(outlasting).toBeGreaterThan(Math.max(stated, 0.01) - 0.01);
      }
      if (less?.walltimeSeconds) expect(more?.walltimeSeconds).toBeLessThanOrEqual(less.walltimeSeconds);
    }),
  );
});
