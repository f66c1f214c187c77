import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTimeOf, momentsOfLocalTime } from '../../../adapters/shared/local-time.ts';
import { CompletionTimes } from '../../../adapters/slurm/completion-times.ts';

const ZONE = 'Europe/Berlin';
/** Here clocks were set back from 03:00 to 02:00. */
const SET_BACK = Date.UTC(2026, 9, 25, 1) / 1000;
const at = (minutes: number) => SET_BACK + minutes * 60;
const local = (minutes: number) => localTimeOf(at(minutes), ZONE);
const timesUntil = (now: number) => new CompletionTimes((text) => momentsOfLocalTime(text, ZONE), now);

/** What is read of runs that were submitted, began and ended so many minutes after clocks were set back. */
function read(runs: readonly (readonly [number, number, number])[], now = at(600)): number[][] {
  const times = timesUntil(now);
  return runs.map(([submit, start, end]) => {
    const moments = times.read({ submit: local(submit), start: local(start), end: local(end) });
    return [moments.submit, moments.start ?? 0, moments.end].map((moment) => (moment - SET_BACK) / 60);
  });
}

test('a run that ends before its start by the clock has ended in the second hour', () => {
  expect(read([[-10, -5, 5]])).toEqual([[-10, -5, 5]]);
  expect(read([[-10, 5, 15]])).toEqual([[-10, 5, 15]]);
  expect(read([[-90, -80, 70]])).toEqual([[-90, -80, 70]]);
});

test('ends go on in the order of the file, but for lines that come a little late', () => {
  const runs = [
    [-45, -40, -30],
    [-45, -40, -35],
    [-20, -15, -2],
    [10, 15, 20],
    [10, 15, 18],
    [30, 40, 80],
  ] as const;
  expect(read(runs)).toEqual(runs);
});

test('nothing has ended after now', () => {
  const runs = [
    [-45, -40, -10],
    [-45, -40, -35],
  ] as const;
  expect(read(runs, at(-5))).toEqual(runs);
});

test('a run that never began is read, too', () => {
  const moments = timesUntil(at(600)).read({ submit: local(-5), start: null, end: local(5) });
  expect(moments).toEqual({ submit: at(-5), start: null, end: at(5) });
});

test('whatever a file says, what was read fits together and shows the times that were written', () => {
  const minutes = fc.integer({ min: -200, max: 200 });
  fc.assert(
    fc.property(fc.array(fc.tuple(minutes, minutes, minutes)), (drawn) => {
      const runs = drawn.map((times) => times.sort((one, other) => one - other));
      const ordered = runs.sort(([, , one], [, , other]) => one - other);
      const found = read(ordered);
      for (const [index, [submit = 0, start = 0, end = 0]] of found.entries()) {
        expect([submit, start, end].map(local)).toEqual(ordered[index]?.map(local));
        expect(submit <= start && start <= end).toBe(true);
      }
    }),
  );
});
