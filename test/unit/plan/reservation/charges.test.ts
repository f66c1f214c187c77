import { expect, test } from 'vitest';
import { chargesOf } from '../../../../src/plan/reservation/charges.ts';

const ran = { startedAt: 1000, endedAt: 4000, processors: 8, earlierRunSeconds: 0 };
const neverRan = { ...ran, startedAt: null };
const promise = {
  state: 'KEPT',
  startAt: 1600,
  mode: 'HOLD',
  windowOpensAt: null,
  coAllocationId: null,
  releasedProcessorSeconds: 0,
} as const;

test('a plain job needs all it held', () => {
  expect(chargesOf(ran, null)).toEqual([{ kind: 'NEEDED', processorSeconds: 24_000 }]);
});

test('a reservation pays padding until its moment', () => {
  expect(chargesOf(ran, promise)).toEqual([
    { kind: 'NEEDED', processorSeconds: 2400 * 8 },
    { kind: 'PADDING', processorSeconds: 600 * 8 },
  ]);
});

test('a window pays padding only until it opens, best effort none', () => {
  const window = { ...promise, mode: 'WINDOW', windowOpensAt: 1200 } as const;
  expect(chargesOf(ran, window)).toContainEqual({ kind: 'PADDING', processorSeconds: 200 * 8 });
  expect(chargesOf(ran, { ...promise, mode: 'BEST_EFFORT' })).toEqual([{ kind: 'NEEDED', processorSeconds: 24_000 }]);
});

test('a job that died while it held was all padding', () => {
  expect(chargesOf({ ...ran, endedAt: 1500 }, promise)).toEqual([{ kind: 'PADDING', processorSeconds: 500 * 8 }]);
});

test('a cancelled leg is lost, a job that never started costs nothing', () => {
  const loser = { ...promise, state: 'CANCELLED', coAllocationId: 'group' } as const;
  expect(chargesOf(ran, loser)).toEqual([{ kind: 'LOST', processorSeconds: 24_000 }]);
  expect(chargesOf(neverRan, promise)).toEqual([]);
});

test('processors that were held early and given back are padding, whether or not another job ran', () => {
  const released = { ...promise, releasedProcessorSeconds: 800 };
  expect(chargesOf(ran, released)).toContainEqual({ kind: 'PADDING', processorSeconds: 800 + 600 * 8 });
  expect(chargesOf(neverRan, released)).toEqual([{ kind: 'PADDING', processorSeconds: 800 }]);
});

test('runs that the site took back are lost, beside what the last one needed', () => {
  expect(chargesOf({ ...ran, earlierRunSeconds: 30 }, null)).toEqual([
    { kind: 'NEEDED', processorSeconds: 24_000 },
    { kind: 'LOST', processorSeconds: 240 },
  ]);
  expect(chargesOf({ ...neverRan, earlierRunSeconds: 30 }, promise)).toEqual([{ kind: 'LOST', processorSeconds: 240 }]);
  const loser = { ...promise, state: 'CANCELLED', coAllocationId: 'group' } as const;
  expect(chargesOf({ ...ran, earlierRunSeconds: 30 }, loser)).toEqual([{ kind: 'LOST', processorSeconds: 24_240 }]);
});

test('what a site bills counts, not what was asked for, and for padding as well', () => {
  const billed = { ...ran, billedProcessors: 20.5 };
  expect(chargesOf(billed, null)).toEqual([{ kind: 'NEEDED', processorSeconds: 3000 * 20.5 }]);
  expect(chargesOf(billed, promise)).toContainEqual({ kind: 'PADDING', processorSeconds: 600 * 20.5 });
  expect(chargesOf({ ...ran, billedProcessors: 0 }, null)).toEqual([{ kind: 'NEEDED', processorSeconds: 0 }]);
  expect(chargesOf({ ...ran, billedProcessors: null }, null)).toEqual(chargesOf(ran, null));
});
