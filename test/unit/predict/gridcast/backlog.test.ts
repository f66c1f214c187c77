import { expect, test } from 'vitest';
import type { RunningJob, Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { Backlog } from '../../../../src/predict/wait/gridcast/backlog.ts';

const NOW = 10_000;
const request = (processors: number, requestedWalltimeSeconds: number | null) => {
  return { user: null, queue: null, processors, requestedWalltimeSeconds };
};

function waiting(processors: number, walltimeSeconds: number | null): WaitingJob {
  return { nativeId: 'w', key: null, ...request(processors, walltimeSeconds), submitAt: NOW - 5 };
}

function running(processors: number, walltimeSeconds: number | null, ranSeconds: number): RunningJob {
  return { ...waiting(processors, walltimeSeconds), startAt: NOW - ranSeconds };
}

function stateOf(jobs: { waiting?: WaitingJob[]; running?: RunningJob[]; processors?: number }): Snapshot {
  return { observedAt: NOW, processors: 10, freeProcessors: 0, waiting: [], running: [], ...jobs };
}

function come(backlog: Backlog, count: number, processors: number, walltimeSeconds: number, spanSeconds: number): void {
  for (let n = 0; n <= count; n++) {
    const submitAt = NOW - spanSeconds + (n * spanSeconds) / count;
    backlog.submitted({ nativeId: `${n}`, ...request(processors, walltimeSeconds), submitAt });
  }
}

function use(backlog: Backlog, share: number): void {
  for (let n = 0; n < 10; n++) {
    const record = { nativeId: `e${n}`, ...request(1, 100), submitAt: 0, startAt: 0 };
    backlog.ended({ ...record, endAt: 100 * share, outcome: 'COMPLETED' });
  }
}

test('is what waits and what is left of what runs, in time of the whole machine', () => {
  const state = stateOf({ waiting: [waiting(5, 100), waiting(10, 50)], running: [running(10, 60, 20)] });
  expect(new Backlog().seconds(state, NOW)).toBe(50 + 50 + 40);
});

test('counts with what jobs use of their walltimes; one that has run for longer has half of the rest to go', () => {
  const backlog = new Backlog();
  use(backlog, 0.5);
  expect(backlog.seconds(stateOf({ waiting: [waiting(10, 100)] }), NOW)).toBe(50);
  expect(backlog.seconds(stateOf({ running: [running(10, 100, 10)] }), NOW)).toBe(45);
  expect(backlog.seconds(stateOf({ running: [running(10, 100, 80)] }), NOW)).toBe(10);
  expect(backlog.seconds(stateOf({ running: [running(10, 100, 130)] }), NOW)).toBe(0);
});

test('grows until the submission where more comes than the machine can do, and is worked off where less does', () => {
  const state = stateOf({ waiting: [waiting(10, 100)] });
  const flood = new Backlog();
  come(flood, 60, 10, 20, 600);
  expect(flood.seconds(state, NOW + 100)).toBeCloseTo(100 + 100, 0);
  const ebb = new Backlog();
  come(ebb, 60, 10, 5, 600);
  expect(ebb.seconds(state, NOW + 100)).toBeCloseTo(100 - 50, 0);
  expect(ebb.seconds(state, NOW + 1000)).toBe(0);
});

test('what came long ago, and after the state was seen, is no inflow', () => {
  const backlog = new Backlog();
  come(backlog, 60, 10, 60, 300);
  const earlier = { ...stateOf({ waiting: [waiting(10, 1000)] }), observedAt: NOW - 300 };
  expect(backlog.seconds(earlier, NOW - 200)).toBe(900);
  const later = { ...stateOf({ waiting: [waiting(10, 1000)] }), observedAt: NOW + 601 };
  expect(backlog.seconds(later, NOW + 701)).toBe(900);
});

test('jobs without a walltime, and a machine without processors, are no work', () => {
  const jobs = { waiting: [waiting(10, null)], running: [running(10, null, 50)] };
  expect(new Backlog().seconds(stateOf(jobs), NOW)).toBe(0);
  expect(new Backlog().seconds(stateOf({ waiting: [waiting(10, 100)], processors: 0 }), NOW)).toBe(0);
});

test('what is learned counts for a state that was asked about before', () => {
  const backlog = new Backlog();
  const state = stateOf({ waiting: [waiting(10, 100)] });
  expect(backlog.seconds(state, NOW)).toBe(100);
  use(backlog, 0.2);
  expect(backlog.seconds(state, NOW)).toBeCloseTo(20);
});
