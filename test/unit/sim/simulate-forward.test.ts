import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunningJob, Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { Cluster } from '../../../src/sim/cluster.ts';
import { POLICIES, POLICY_NAMES } from '../../../src/sim/policy.ts';
import { simulateForward } from '../../../src/sim/simulate-forward.ts';

const NOW = 1000;

function waiting(nativeId: string, processors: number, requestedWalltimeSeconds: number | null): WaitingJob {
  return { nativeId, key: null, user: 'ann', queue: 'batch', processors, requestedWalltimeSeconds, submitAt: NOW - 10 };
}

function running(nativeId: string, processors: number, walltime: number, startAt: number): RunningJob {
  return { ...waiting(nativeId, processors, walltime), startAt };
}

function snapshot(jobs: Partial<Snapshot>): Snapshot {
  const held = (jobs.running ?? []).reduce((sum, job) => sum + job.processors, 0);
  return { observedAt: NOW, processors: 10, freeProcessors: 10 - held, waiting: [], running: [], ...jobs };
}

const asRequested = (job: WaitingJob) => job.requestedWalltimeSeconds ?? 60;

test('waiting jobs start when running ones are guessed to end', () => {
  const state = snapshot({
    running: [running('r', 8, 500, NOW - 100)],
    waiting: [waiting('wide', 10, 100), waiting('small', 2, 300)],
  });
  const asked = simulateForward(state, asRequested, { policy: POLICIES.easy });
  expect(asked.startAt).toEqual(
    new Map([
      ['wide', NOW + 400],
      ['small', NOW],
    ]),
  );
  const guessed = simulateForward(state, (job) => (job.nativeId === 'r' ? 150 : 60), { policy: POLICIES.fcfs });
  expect(guessed.startAt).toEqual(
    new Map([
      ['wide', NOW + 50],
      ['small', NOW + 110],
    ]),
  );
});

test('a running job that outlived its guess is taken to last until its walltime', () => {
  const state = snapshot({ running: [running('r', 10, 500, NOW - 100)], waiting: [waiting('w', 1, 50)] });
  expect(simulateForward(state, () => 30, { policy: POLICIES.easy }).startAt.get('w')).toBe(NOW + 400);
});

test('answers for a job nobody has submitted, and stops there', () => {
  const state = snapshot({
    running: [running('r', 10, 200, NOW - 100)],
    waiting: [waiting('first', 6, 100), waiting('second', 6, 100)],
  });
  const job = { processors: 4, walltimeSeconds: 1000 };
  const { jobStartAt, startAt } = simulateForward(state, asRequested, { policy: POLICIES.fcfs, job });
  expect(jobStartAt).toBe(NOW + 200);
  expect(startAt.get('second')).toBe(NOW + 200);
  expect(simulateForward(state, asRequested, { policy: POLICIES.easy, job }).jobStartAt).toBe(NOW + 100);
  const later = { ...job, submitAt: NOW + 5000 };
  expect(simulateForward(state, asRequested, { policy: POLICIES.fcfs, job: later }).jobStartAt).toBe(NOW + 5000);
});

test('what does not start in time or can never start is absent', () => {
  const state = snapshot({
    running: [running('r', 10, 200, NOW - 100)],
    waiting: [waiting('soon', 4, 1000), waiting('late', 10, 50), waiting('never', 11, 50)],
  });
  const { startAt } = simulateForward(state, asRequested, { policy: POLICIES.fcfs, untilAt: NOW + 300 });
  expect([...startAt.keys()]).toEqual(['soon']);
  const job = { processors: 11, walltimeSeconds: 10 };
  expect(simulateForward(state, asRequested, { policy: POLICIES.easy, job }).jobStartAt).toBeNull();
});

test.each(POLICY_NAMES)('under %s the future of a cluster is what going on would bring', (name) => {
  const policy = POLICIES[name];
  const jobs = fc.array(
    fc.record({
      pause: fc.nat(10),
      processors: fc.integer({ min: 1, max: 10 }),
      seconds: fc.integer({ min: 1, max: 80 }),
    }),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(jobs, (drafts) => {
      const cluster = new Cluster({ processors: 10, policy });
      let submitAt = 0;
      for (const { pause, processors, seconds } of drafts) {
        submitAt += pause;
        cluster.submit({ submitAt, processors, walltimeSeconds: seconds, runSeconds: seconds });
      }
      cluster.advanceTo(submitAt);
      const { columns } = cluster.table;
      const shown = (job: number): WaitingJob => ({
        ...waiting(String(job), columns.processors[job] as number, columns.walltimeSeconds[job] as number),
        submitAt: columns.submitAt[job] as number,
      });
      const state: Snapshot = {
        observedAt: submitAt,
        processors: 10,
        freeProcessors: cluster.freeProcessors,
        waiting: Array.from(cluster.waiting(), shown),
        running: Array.from(cluster.running(), (job) => ({ ...shown(job), startAt: columns.startAt[job] as number })),
      };
      const { startAt } = simulateForward(state, asRequested, { policy });
      cluster.advanceTo(Number.POSITIVE_INFINITY);
      for (const job of state.waiting) expect(startAt.get(job.nativeId)).toBe(columns.startAt[Number(job.nativeId)]);
      expect(startAt.size).toBe(state.waiting.length);
    }),
  );
});

test('thousands of jobs take milliseconds', () => {
  const queue = Array.from({ length: 5000 }, (_, index) => waiting(`w${index}`, 1 + (index % 7), 60 + (index % 500)));
  const state = snapshot({ running: [running('r', 10, 200, NOW - 100)], waiting: queue });
  simulateForward(state, asRequested, { policy: POLICIES.easy });
  const before = performance.now();
  const { startAt } = simulateForward(state, asRequested, { policy: POLICIES.easy });
  expect(startAt.size).toBe(5000);
  expect(performance.now() - before).toBeLessThan(500);
});
