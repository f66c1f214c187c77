import { expect, test } from 'vitest';
import { startFan } from '../../../src/web/views/job/start-fan.ts';

/** A wait that is as probable to end in any second of the first thousand. */
const even = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map((probability) => ({
  probability,
  seconds: 1000 * probability,
}));

test('before it waits the spans are those of the forecast', () => {
  const { middle, spans } = startFan(even, 0);
  expect(middle).toBeCloseTo(500);
  expect(spans.map(({ low, high }) => [Math.round(low), Math.round(high ?? -1)])).toEqual([
    [250, 750],
    [100, 900],
    [25, 975],
  ]);
});

test('what has passed is out of the question, and the rest keeps its proportions', () => {
  const { middle, spans } = startFan(even, 500);
  expect(middle).toBeCloseTo(750);
  expect(spans[0]?.low).toBeCloseTo(625);
  expect(spans[0]?.high).toBeCloseTo(875);
});

test('beyond what history supports nothing is told', () => {
  const known = even.slice(0, 6);
  expect(startFan(known, 0).spans.map(({ high }) => high)).toEqual([null, null, null]);
  expect(startFan(known, 900)).toMatchObject({ middle: null });
  expect(startFan([], 0)).toMatchObject({ middle: null });
});
