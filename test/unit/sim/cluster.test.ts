import { describe, expect, test } from 'vitest';
import { SubmissionRefused } from '../../../src/sim/admission.ts';
import type { RuntimeBelief } from '../../../src/sim/belief.ts';
import { Cluster, type ClusterOptions } from '../../../src/sim/cluster.ts';
import { outcomeOf, type SimulatedJob } from '../../../src/sim/job-table.ts';
import { POLICIES } from '../../../src/sim/policy.ts';

function job(
  submitAt: number,
  processors: number,
  walltimeSeconds: number,
  runSeconds = walltimeSeconds,
): SimulatedJob {
  return { submitAt, processors, walltimeSeconds, runSeconds };
}

function run(jobs: readonly SimulatedJob[], options: Partial<ClusterOptions> = {}) {
  const cluster = new Cluster({ processors: 10, policy: POLICIES.easy, ...options });
  for (const one of jobs) cluster.submit(one);
  cluster.advanceTo(Number.POSITIVE_INFINITY);
  const { startAt, endAt, outcome } = cluster.table.columns;
  return jobs.map((_, index) => ({
    startAt: startAt[index],
    endAt: endAt[index],
    outcome: outcomeOf(outcome[index] as number),
  }));
}

describe('outages', () => {
  test('a drained machine starts nothing and lets what runs end', () => {
    const [first, second] = run([job(0, 4, 50), job(20, 4, 50)], {
      outages: [
        { at: 10, kind: 'drain' },
        { at: 100, kind: 'resume' },
      ],
    });
    expect(first).toEqual({ startAt: 0, endAt: 50, outcome: 'COMPLETED' });
    expect(second).toEqual({ startAt: 100, endAt: 150, outcome: 'COMPLETED' });
  });

  test('a machine that goes down kills what runs and keeps its queue', () => {
    const [first, second] = run([job(0, 8, 50), job(5, 8, 50)], {
      outages: [
        { at: 10, kind: 'down' },
        { at: 30, kind: 'resume' },
      ],
    });
    expect(first).toEqual({ startAt: 0, endAt: 10, outcome: 'NODE_FAIL' });
    expect(second).toEqual({ startAt: 30, endAt: 80, outcome: 'COMPLETED' });
  });

  test('lost nodes take the jobs started last with them, and the rest goes on', () => {
    const [first, second, third] = run([job(0, 4, 50), job(1, 4, 50), job(2, 5, 50)], {
      outages: [
        { at: 10, kind: 'resize', processors: 6 },
        { at: 60, kind: 'resize', processors: 10 },
      ],
    });
    expect(first).toMatchObject({ endAt: 50, outcome: 'COMPLETED' });
    expect(second).toMatchObject({ endAt: 10, outcome: 'NODE_FAIL' });
    expect(third).toMatchObject({ startAt: 50 });
  });
});

describe('which runtime the scheduler believes', () => {
  const half = (scope: RuntimeBelief['scope']): RuntimeBelief => ({
    scope,
    seconds: (columns, index) => (columns.walltimeSeconds[index] as number) / 2,
  });
  // The head needs all 10 processors and is promised them at 100; the last job asks for 120 and needs 40.
  const jobs = [job(0, 6, 100), job(1, 10, 50), job(2, 4, 120, 40)];

  test('requested: a job that asks for too long is not backfilled', () => {
    expect(run(jobs).map(({ startAt }) => startAt)).toEqual([0, 100, 150]);
  });

  test('adjusted for waiting jobs: it is, and running ones still count as requested', () => {
    expect(run(jobs, { belief: half('waiting') }).map(({ startAt }) => startAt)).toEqual([0, 100, 2]);
  });

  test('adjusted for all: a running job is expected to end earlier too, and until its walltime once it outran that', () => {
    // Believed to end at 50, the first job leaves no window for the 60 s of the last; at 50 the window opens again.
    expect(run([...jobs, job(50, 1, 10)], { belief: half('all') }).map(({ startAt }) => startAt)).toEqual([
      0, 100, 150, 50,
    ]);
  });

  test('jobs are killed at their walltime, whatever was believed', () => {
    const [overrun] = run([job(0, 1, 100, 500)], { belief: half('all') });
    expect(overrun).toEqual({ startAt: 0, endAt: 100, outcome: 'TIMEOUT' });
  });

  test('a belief learns from the jobs that ended', () => {
    const learned: number[] = [];
    const belief: RuntimeBelief = {
      scope: 'waiting',
      seconds: (columns, index) => columns.walltimeSeconds[index] as number,
      learn: (_, index) => learned.push(index),
    };
    run([job(0, 1, 100, 30), job(0, 1, 100, 20)], { belief });
    expect(learned).toEqual([1, 0]);
  });
});

describe('what is accepted', () => {
  const queues = [
    { name: 'long', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 1000 },
    { name: 'wide', isDefault: false, maxProcessors: 8, maxWalltimeSeconds: null },
  ];

  test.each([
    ['an unknown queue', { ...job(0, 1, 10), queue: 'fast' }, /invalid partition/],
    ['more processors than the queue allows', { ...job(0, 9, 10), queue: 'wide' }, /More processors/],
    ['a walltime beyond the default queue', job(0, 1, 1001), /time limit/],
  ])('%s is refused', (_, one, words) => {
    const cluster = new Cluster({ processors: 10, policy: POLICIES.easy, queues });
    expect(() => cluster.submit(one)).toThrow(SubmissionRefused);
    expect(() => cluster.submit(one)).toThrow(words);
    expect(cluster.table.length).toBe(0);
  });

  test('a job that no machine of this kind could run is an error', () => {
    const cluster = new Cluster({ processors: 10, policy: POLICIES.easy, fromAt: 50 });
    expect(() => cluster.submit(job(50, 11, 10))).toThrow(/11 processors does not fit a machine of 10/);
    expect(() => cluster.submit(job(50, 0, 10))).toThrow(RangeError);
    expect(() => cluster.submit(job(50, 1, 10, 0))).toThrow(/must be positive/);
    expect(() => cluster.submit(job(50, 1, Number.NaN))).toThrow(RangeError);
    expect(() => cluster.submit(job(49, 1, 10))).toThrow(/too late/);
  });

  test('requests are rounded up to whole nodes', () => {
    expect(run([job(0, 5, 10), job(0, 5, 10)], { processorsPerNode: 4, processors: 12 })[1]?.startAt).toBe(10);
  });
});

test('a job may hold its processors before it runs', () => {
  const [held, behind] = run([{ ...job(0, 10, 500, 20), holdUntilAt: 300 }, job(1, 1, 10)]);
  expect(held).toEqual({ startAt: 0, endAt: 320, outcome: 'COMPLETED' });
  expect(behind?.startAt).toBe(320);
});

test('jobs may be handed in while others run, also out of order', () => {
  const cluster = new Cluster({ processors: 1, policy: POLICIES.fcfs });
  cluster.submit(job(0, 1, 100));
  cluster.submit(job(80, 1, 10));
  cluster.advanceTo(40);
  cluster.submit(job(60, 1, 10));
  cluster.advanceTo(Number.POSITIVE_INFINITY);
  expect(Array.from(cluster.table.columns.startAt.subarray(0, 3))).toEqual([0, 110, 100]);
});
