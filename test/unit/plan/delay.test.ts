import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHAIN_SHARE, isWorthDelaying, laterSubmitAt } from '../../../src/plan/job/delay.ts';
import { submitAtBehind } from '../../../src/plan/job/hold-queue.ts';
import { gapFor, planLoad } from '../../../src/predict/wait/site-load.ts';

const NOW = 10_000;

test('the moment is the first predicted end, and on while another comes within 5 % of the time until it', () => {
  const at = (...inSeconds: number[]) =>
    laterSubmitAt(
      inSeconds.map((seconds) => NOW + seconds),
      NOW,
    );
  expect(at(1000)).toBe(NOW + 1000);
  expect(at(2000, 1000, 1500)).toBe(NOW + 1000);
  expect(at(1051, 1000)).toBe(NOW + 1000);
  expect(at(1050, 1000)).toBe(NOW + 1050);
  expect(at(1102, 1000, 1050, 1157.2, 5000)).toBe(NOW + 1102);
  expect(at(1102, 1000, 1050, 1157.1, 5000)).toBe(NOW + 1157.1);
});

test('what is past, or never ends, says nothing; without any end there is no such moment', () => {
  expect(laterSubmitAt([], NOW)).toBeNull();
  expect(laterSubmitAt([NOW, NOW - 5, Number.POSITIVE_INFINITY, Number.NaN], NOW)).toBeNull();
  expect(laterSubmitAt([NOW - 5, NOW + 100, Number.NaN], NOW)).toBe(NOW + 100);
});

const ends = fc.array(fc.integer({ min: NOW - 1000, max: NOW + 100_000 }), { maxLength: 40 });

test('the moment is an end that comes, whatever their order, and no other follows it within 5 %', () => {
  fc.assert(
    fc.property(ends, (endsAt) => {
      const at = laterSubmitAt(endsAt, NOW);
      expect(laterSubmitAt(endsAt.toReversed(), NOW)).toBe(at);
      const ahead = endsAt.filter((end) => end > NOW);
      if (at === null) {
        expect(ahead).toEqual([]);
        return;
      }
      expect(ahead).toContain(at);
      for (const end of ahead) if (end > at) expect(end).toBeGreaterThan(at + CHAIN_SHARE * (at - NOW));
      const passed = ahead.filter((end) => end <= at).sort((a, b) => a - b);
      for (const [index, end] of passed.slice(1).entries()) {
        const before = passed[index] as number;
        expect(end).toBeLessThanOrEqual(before + CHAIN_SHARE * (before - NOW));
      }
    }),
  );
});

test('a job is held back for a response at least 30 % lower, and never for one that cannot be predicted', () => {
  const worth = (atOnceSeconds: number, delayedSeconds: number, least?: number) =>
    isWorthDelaying({ atOnceSeconds, delayedSeconds }, least);
  expect(worth(1000, 700)).toBe(true);
  expect(worth(1000, 701)).toBe(false);
  expect(worth(1000, 999, 0)).toBe(true);
  expect(worth(1000, 1000, 0)).toBe(false);
  expect(worth(0, 0)).toBe(false);
  expect(worth(Number.POSITIVE_INFINITY, 10)).toBe(false);
  expect(worth(Number.NaN, 10)).toBe(false);
  expect(worth(10, Number.NaN)).toBe(false);
});

const jobs = fc.array(
  fc.record({
    processors: fc.integer({ min: 1, max: 8 }),
    seconds: fc.integer({ min: 1, max: 5000 }),
    isRunning: fc.boolean(),
  }),
  { maxLength: 12 },
);

test('by a plan of the queue nobody ends sooner for being submitted later', () => {
  fc.assert(
    fc.property(jobs, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 9000 }), (drawn, processors, run) => {
      const load = planLoad(stateOf(drawn), (job) => job.requestedWalltimeSeconds as number);
      const endsAt = load.stepAt.length > 1 ? Array.from(load.stepAt) : [];
      const laterAt = laterSubmitAt(endsAt, NOW);
      if (laterAt === null) return;
      const responseFrom = (at: number) => gapFor(load, processors, run, at).startAt + run - NOW;
      const predicted = { atOnceSeconds: responseFrom(NOW), delayedSeconds: responseFrom(laterAt) };
      expect(isWorthDelaying(predicted, 0)).toBe(false);
    }),
  );
});

test('who comes while one is held goes as long after it as it came after it, and never before the last', () => {
  const head = { arrivedAt: 100, submitAt: 400 };
  expect(submitAtBehind(null, null, 150)).toBeNull();
  expect(submitAtBehind(head, head, 150)).toBe(450);
  expect(submitAtBehind(head, { arrivedAt: 150, submitAt: 450 }, 150)).toBe(450);
  expect(submitAtBehind(head, { arrivedAt: 390, submitAt: 690 }, 399)).toBe(699);
});

test('once the head has gone newcomers go with the last of those still held, and then nobody is held', () => {
  const head = { arrivedAt: 100, submitAt: 400 };
  expect(submitAtBehind(head, { arrivedAt: 390, submitAt: 690 }, 400)).toBe(690);
  expect(submitAtBehind(head, { arrivedAt: 400, submitAt: 690 }, 689)).toBe(690);
  expect(submitAtBehind(head, { arrivedAt: 400, submitAt: 690 }, 690)).toBeNull();
});

test('a hold queue keeps the order of arrival, holds nobody for longer than its head, and keeps distances', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 1500 }), (drawn, heldSeconds) => {
      const head = { arrivedAt: NOW, submitAt: NOW + heldSeconds };
      const queue = [head];
      let arrivedAt = NOW;
      for (const gap of drawn) {
        arrivedAt += gap;
        const last = queue.at(-1) ?? null;
        const submitAt = submitAtBehind(head, last, arrivedAt);
        if (submitAt === null) break;
        expect(submitAt).toBeGreaterThanOrEqual(last?.submitAt ?? 0);
        expect(submitAt).toBeGreaterThanOrEqual(arrivedAt);
        expect(submitAt - arrivedAt).toBeLessThanOrEqual(heldSeconds);
        if (arrivedAt < head.submitAt) expect(submitAt - arrivedAt).toBe(heldSeconds);
        queue.push({ arrivedAt, submitAt });
      }
    }),
  );
});

function stateOf(drawn: readonly { processors: number; seconds: number; isRunning: boolean }[]) {
  let freeProcessors = 8;
  const shown = drawn.map(({ processors, seconds, isRunning }, index) => {
    const starts = isRunning && processors <= freeProcessors;
    if (starts) freeProcessors -= processors;
    const request = { nativeId: String(index), key: null, user: null, queue: null, processors };
    const job = { ...request, requestedWalltimeSeconds: seconds, submitAt: NOW - 100 };
    return { starts, job: { ...job, startAt: NOW - (starts ? Math.min(50, seconds - 1) : 0) } };
  });
  return {
    observedAt: NOW,
    processors: 8,
    freeProcessors,
    running: shown.filter(({ starts }) => starts).map(({ job }) => job),
    waiting: shown.filter(({ starts }) => !starts).map(({ job: { startAt: _, ...job } }) => job),
  };
}
