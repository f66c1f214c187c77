import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeldWork, Snapshot } from '../../../src/domain/snapshot.ts';
import { HeldWorkDelay } from '../../../src/predict/wait/held-work-delay.ts';

const NOW = 1_000_000;
const HOUR = 3600;

/** Eight processors, of which four are taken for another hour. */
const STATE: Snapshot = {
  observedAt: NOW,
  processors: 8,
  freeProcessors: 4,
  waiting: [],
  running: [
    {
      ...{ nativeId: '1', key: null, user: null, queue: null, processors: 4, requestedWalltimeSeconds: 2 * HOUR },
      ...{ submitAt: NOW - HOUR, startAt: NOW - HOUR },
    },
  ],
};

const query = (processors: number, submitAt: number, hours = 1) => ({
  ...{ user: null, queue: null, processors, requestedWalltimeSeconds: hours * HOUR, submitAt },
});
const held = (processors: number, submitAt: number, more: Partial<HeldWork> = {}): HeldWork => ({
  ...{ processors, walltimeSeconds: HOUR, submitAt, holdUntilAt: null, ...more },
});

test('held work takes its processors until its end, with the time that it holds them', () => {
  const delay = new HeldWorkDelay(STATE, [held(8, NOW + 2 * HOUR, { holdUntilAt: NOW + 4 * HOUR })]);
  expect(delay.secondsFor(query(1, NOW + 3 * HOUR))).toBe(2 * HOUR);
  expect(delay.secondsFor(query(1, NOW + 6 * HOUR))).toBe(0);
  expect(delay.secondsFor(query(1, NOW + HOUR)), 'it is over by then').toBe(0);
  expect(delay.secondsFor(query(1, NOW + HOUR, 2)), 'it would meet it on its way').toBe(4 * HOUR);
});

test('work that leaves room for the job makes no delay, and none does that never fits', () => {
  expect(new HeldWorkDelay(STATE, [held(4, NOW + HOUR)]).secondsFor(query(4, NOW + HOUR))).toBe(0);
  expect(new HeldWorkDelay(STATE, [held(9, NOW + HOUR)]).secondsFor(query(4, NOW + HOUR))).toBe(0);
  expect(new HeldWorkDelay(STATE, [held(4, NOW + HOUR)]).secondsFor(query(9, NOW + HOUR))).toBe(0);
});

describe('any work', () => {
  const anyWork = fc.array(
    fc.record({
      processors: fc.integer({ min: 1, max: 8 }),
      walltimeSeconds: fc.integer({ min: 1, max: 5 * HOUR }),
      submitAt: fc.integer({ min: NOW, max: NOW + 6 * HOUR }),
      holdUntilAt: fc.option(fc.integer({ min: NOW, max: NOW + 8 * HOUR })),
    }),
    { maxLength: 12 },
  );

  test('delays by no less than nothing, and by the same in whichever order it is told', () => {
    fc.assert(
      fc.property(anyWork, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 8 * HOUR }), (work, p, after) => {
        const asked = query(p, NOW + after);
        const distinct = [...new Map(work.map((one) => [one.submitAt, one])).values()];
        const seconds = new HeldWorkDelay(STATE, distinct).secondsFor(asked);
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(new HeldWorkDelay(STATE, distinct.toReversed()).secondsFor(asked)).toBe(seconds);
      }),
    );
  });
});
