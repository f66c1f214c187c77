import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gainScores, type ResponseForecast } from '../../../../src/plan/job/gain-score.ts';

const ranges = (...pairs: readonly (readonly [number, number])[]): ResponseForecast => ({
  ranges: pairs.map(([fromSeconds, toSeconds]) => ({ fromSeconds, toSeconds })),
});

describe('the gain score', () => {
  test('is the area under 1 - t over the ranges, by the longest response of all and the length covered', () => {
    const [early, late] = gainScores([ranges([0, 20], [40, 60]), ranges([60, 100])]);
    // Integrals of 1 - t over [0, .2] and [.4, .6]: .18 + .1, over a length of .4; over [.6, 1]: .08 over .4.
    expect(early).toBeCloseTo(0.28 / 0.4);
    expect(late).toBeCloseTo(0.08 / 0.4);
  });

  test('prefers one early range to many late ones, which together have more area', () => {
    const [one, many] = gainScores([ranges([0, 10]), ranges([10, 30], [40, 60], [70, 100])]);
    expect(one).toBeGreaterThan(many as number);
  });

  test('counts single moments, ranges of no length, by their mean', () => {
    expect(gainScores([ranges([25, 25], [75, 75]), ranges([100, 100])])).toEqual([0.5, 0]);
  });

  test('of percentiles is the mean gain, and nothing is gained where a percentile is infinite', () => {
    const sure = { quantileSeconds: new Array<number>(99).fill(50) };
    const half = { quantileSeconds: Array.from({ length: 99 }, (_, i) => (i < 49 ? 50 : Number.POSITIVE_INFINITY)) };
    const [first, second, third] = gainScores([sure, half, ranges([100, 100])]);
    expect(first).toBeCloseTo(0.5);
    expect(second).toBeCloseTo((0.5 * 49) / 99);
    expect(third).toBe(0);
  });

  test('is 0 for what nothing is known of', () => {
    expect(gainScores([{ ranges: [] }, { quantileSeconds: [] }])).toEqual([0, 0]);
    expect(gainScores([])).toEqual([]);
  });
});

const range = fc.tuple(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 1e6 }));
const response = fc.oneof(
  fc
    .array(range, { minLength: 1, maxLength: 8 })
    .map((pairs) => ranges(...pairs.map(([from, length]) => [from, from + length] as const))),
  fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 99, maxLength: 99 }).map((seconds) => ({
    quantileSeconds: seconds.toSorted((a, b) => a - b),
  })),
);

function scaled(forecast: ResponseForecast, factor: number, later = 0): ResponseForecast {
  const moved = (seconds: number) => seconds * factor + later;
  return 'ranges' in forecast
    ? {
        ranges: forecast.ranges.map((one) => ({
          fromSeconds: moved(one.fromSeconds),
          toSeconds: moved(one.toSeconds),
        })),
      }
    : { quantileSeconds: forecast.quantileSeconds.map(moved) };
}

describe('whatever the responses', () => {
  test('scores lie from 0 to 1 and do not hang on the order or the unit of time', () => {
    fc.assert(
      fc.property(fc.array(response, { minLength: 1, maxLength: 6 }), (responses) => {
        const scores = gainScores(responses);
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
        expect(gainScores(responses.toReversed())).toEqual(scores.toReversed());
        gainScores(responses.map((one) => scaled(one, 64))).forEach((score, i) => {
          expect(score).toBeCloseTo(scores[i] as number);
        });
      }),
    );
  });

  test('the same response later never scores more', () => {
    fc.assert(
      fc.property(response, fc.integer({ min: 0, max: 1e6 }), (one, later) => {
        const [now, then] = gainScores([one, scaled(one, 1, later)]) as [number, number];
        expect(now).toBeGreaterThanOrEqual(then - 1e-9);
      }),
    );
  });
});
