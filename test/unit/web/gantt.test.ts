import { expect, test } from 'vitest';
import { type GanttReservation, ganttOf, reachFor } from '../../../src/web/views/reservations/gantt.ts';
import { sizesOf } from '../../../src/web/views/site/sizes.ts';

const START = Date.parse('2026-05-28T20:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(START + hours * HOUR).toISOString();

/** Promised for START, an hour of work, with ten minutes of padding expected. */
const promised: GanttReservation = {
  ...{ id: 'r', state: 'PROMISED', startAt: at(0), submitAt: at(-2), decidedAt: null, leg: null },
  ...{ expectedPaddingProcessorSeconds: 2400, site: { name: 'slow' }, coAllocation: null },
  job: {
    ...{ name: 'job', processors: 4, walltimeSeconds: 3600 },
    ...{ submittedAt: null, startedAt: null, endedAt: null },
  },
};

function barOf(change: Partial<GanttReservation>, job: Partial<GanttReservation['job']>, hours: number) {
  const row = { ...promised, ...change, job: { ...promised.job, ...job } };
  const bar = ganttOf([row], START + hours * HOUR)[0]?.bars[0];
  const span = (one: { from: number; to: number } | null | undefined) =>
    one ? [(one.from - START) / HOUR, (one.to - START) / HOUR] : null;
  return { queued: span(bar?.queued), padding: span(bar?.padding), work: span(bar?.work), isLoser: bar?.isLoser };
}

test('a promise that waits shows what is planned', () => {
  const bar = barOf({}, {}, -3);
  expect(bar).toEqual({ queued: [-2, 0], padding: [-1 / 6, 0], work: [0, 1], isLoser: false });
});

test('padding that has not begun by now is not expected before now', () => {
  expect(barOf({ state: 'SUBMITTED' }, { submittedAt: at(-2) }, -0.1).padding).toEqual([expect.closeTo(-0.1), 0]);
  expect(barOf({ state: 'SUBMITTED' }, { submittedAt: at(-2) }, 0).padding).toBeNull();
});

test('padding that is paid begins at the start of the job, and work at the start that was promised', () => {
  const holding = barOf({ state: 'HOLDING' }, { submittedAt: at(-2), startedAt: at(-1) }, -0.5);
  expect(holding).toEqual({ queued: [-2, -1], padding: [-1, 0], work: [0, 1], isLoser: false });
  const kept = barOf({ state: 'KEPT' }, { submittedAt: at(-2), startedAt: at(-1), endedAt: at(0.5) }, 3);
  expect(kept).toEqual({ queued: [-2, -1], padding: [-1, 0], work: [0, 0.5], isLoser: false });
});

test('one that was missed has no padding, and work only where it ran late', () => {
  const never = barOf({ state: 'MISSED' }, { submittedAt: at(-2) }, 2);
  expect(never).toEqual({ queued: [-2, 0], padding: null, work: null, isLoser: false });
  const late = barOf({ state: 'MISSED' }, { submittedAt: at(-2), startedAt: at(0.5), endedAt: at(1) }, 2);
  expect(late).toEqual({ queued: [-2, 0.5], padding: null, work: [0.5, 1], isLoser: false });
});

test('a cancelled leg is a loser only where its group succeeded', () => {
  const group = (state: string) => ({ state: 'CANCELLED', coAllocation: { id: 'c', state } });
  expect(barOf(group('SUCCEEDED'), {}, -1)).toEqual({ queued: null, padding: null, work: null, isLoser: true });
  expect(barOf(group('CANCELLED'), {}, -1).isLoser).toBe(false);
  // It held processors until it was cancelled: that was paid.
  const held = barOf(group('SUCCEEDED'), { submittedAt: at(-2), startedAt: at(-1), endedAt: at(-0.5) }, 1);
  expect(held).toEqual({ queued: [-2, -1], padding: [-1, -0.5], work: null, isLoser: true });
});

test('sites are in the order of their names, promises in that of their starts', () => {
  const rows = [
    { ...promised, id: 'c', startAt: at(2) },
    { ...promised, id: 'b', startAt: at(1), site: { name: 'quick' } },
    { ...promised, id: 'a', startAt: at(1) },
  ];
  const told = ganttOf(rows, START).map(({ site, bars }) => [site, ...bars.map(({ row }) => row.id)]);
  expect(told).toEqual([
    ['quick', 'b'],
    ['slow', 'a', 'c'],
  ]);
});

test('it reaches as far as half of the promises', () => {
  const rows = [1, 2, 3, 100, 1000].map((hours) => ({ startAt: at(hours) }));
  expect(reachFor(rows, START)).toBe(12);
  expect(reachFor(rows.slice(2), START)).toBe(336);
  expect(reachFor(rows.slice(4), START)).toBeNull();
});

test.each([
  [1, [1]],
  [6, [1, 2, 4, 6]],
  [256, [1, 4, 16, 64, 256]],
  [100_000, [1, 8, 64, 512, 4096, 32_768, 100_000]],
  [0, [1]],
])('of %i processors these sizes are shown', (processors, sizes) => {
  expect(sizesOf(processors)).toEqual(sizes);
});
