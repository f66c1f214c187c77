import { describe, expect, test } from 'vitest';
import type { StartedRecord } from '../../../../src/domain/job.ts';
import type { Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { JobsOnHold } from '../../../../src/predict/wait/gridcast/jobs-on-hold.ts';

const DAY = 86_400;
const NOW = 100 * DAY;

const waiting = (days: number): WaitingJob => ({
  nativeId: `${days}`,
  key: null,
  user: null,
  queue: null,
  processors: 1,
  requestedWalltimeSeconds: null,
  submitAt: NOW - days * DAY,
});
const started = (days: number): StartedRecord => {
  const { key, ...job } = waiting(days);
  return { ...job, startAt: NOW, endAt: null, outcome: null };
};
const state = (...days: number[]): Snapshot => ({
  observedAt: NOW,
  processors: 8,
  freeProcessors: 8,
  waiting: days.map(waiting),
  running: [],
});
const daysIn = ({ waiting: jobs }: Snapshot) => jobs.map(({ nativeId }) => Number(nativeId));

describe('held jobs', () => {
  test('what has waited for more than a week, and longer than anybody is known to, is left out', () => {
    const held = new JobsOnHold();
    expect(daysIn(held.without(state(1, 6, 8, 30)))).toEqual([1, 6]);
    held.learn(started(20));
    expect(daysIn(held.without(state(1, 6, 8, 30)))).toEqual([1, 6, 8]);
  });

  test('a state without held jobs stays the very same object', () => {
    const whole = state(1, 2);
    expect(new JobsOnHold().without(whole)).toBe(whole);
  });

  test('asked twice it answers with the same object, and anew after a wait was learned', () => {
    const held = new JobsOnHold();
    const whole = state(1, 9);
    expect(held.without(whole)).toBe(held.without(whole));
    held.learn(started(10));
    expect(held.without(whole)).toBe(whole);
  });

  test('one wait of long ago does not count for ever', () => {
    const held = new JobsOnHold();
    held.learn(started(60));
    for (let i = 0; i < 7000; i++) held.learn(started(1));
    expect(daysIn(held.without(state(29, 31)))).toEqual([29]);
  });
});
