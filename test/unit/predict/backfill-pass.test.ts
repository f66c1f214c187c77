import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunningJob, Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { BackfillPass } from '../../../src/predict/wait/backfill-pass.ts';
import { Cluster } from '../../../src/sim/cluster.ts';
import { clusterSnapshot } from '../../../src/sim/cluster-snapshot.ts';
import { POLICIES } from '../../../src/sim/policy.ts';

const NOW = 1000;

function waiting(processors: number, requestedWalltimeSeconds: number | null, submitAt = 0): WaitingJob {
  return { nativeId: 'w', key: null, user: null, queue: null, processors, requestedWalltimeSeconds, submitAt };
}

function running(processors: number, walltimeSeconds: number, submitAt = 0): RunningJob {
  return { ...waiting(processors, walltimeSeconds, submitAt), startAt: NOW };
}

function snapshot(jobs: RunningJob[], queue: WaitingJob[]): Snapshot {
  const used = jobs.reduce((sum, job) => sum + job.processors, 0);
  return { observedAt: NOW, processors: 10, freeProcessors: 10 - used, running: jobs, waiting: queue };
}

describe('whether one job more would start', () => {
  const starts = (state: Snapshot, processors: number, walltimeSeconds: number, submitAt = NOW) =>
    new BackfillPass(state).wouldStart({ processors, walltimeSeconds }, submitAt);

  test('with nobody ahead, what fits', () => {
    const state = snapshot([running(6, 100)], []);
    expect([4, 5].map((processors) => starts(state, processors, 1e6))).toEqual([true, false]);
  });

  test('behind a job that does not fit, what ends before that will, or what it leaves over', () => {
    const state = snapshot([running(6, 100)], [waiting(8, 50)]);
    expect(starts(state, 4, 100)).toBe(true);
    expect(starts(state, 4, 101)).toBe(false);
    expect(starts(state, 2, 1e6)).toBe(true);
    expect(starts(state, 3, 1e6)).toBe(false);
  });

  test('what others behind the first take is gone', () => {
    const state = snapshot([running(6, 100)], [waiting(8, 50), waiting(2, null)]);
    expect([1, 2].map((processors) => starts(state, processors, 1e6))).toEqual([false, false]);
    expect([2, 3].map((processors) => starts(state, processors, 100))).toEqual([true, false]);
  });

  test('who was submitted later gives place, whether he waits or runs', () => {
    const queued = snapshot([running(6, 100)], [waiting(8, 50, 500)]);
    expect([499, 500].map((submitAt) => starts(queued, 4, 1e6, submitAt))).toEqual([true, false]);
    const busy = snapshot([running(6, 100), running(4, 100, 500)], []);
    expect([499, 500].map((submitAt) => starts(busy, 4, 1e6, submitAt))).toEqual([true, false]);
  });

  test('at a site that lets nobody past, nothing behind a job that does not fit', () => {
    const state = snapshot([running(6, 100)], [waiting(8, 50, 500)]);
    const pass = new BackfillPass(state, false);
    expect([499, 500].map((submitAt) => pass.wouldStart({ processors: 1, walltimeSeconds: 1 }, submitAt))).toEqual([
      true,
      false,
    ]);
  });

  test.each(['easy', 'fcfs'] as const)('as %s of the simulator decides, for any queue', (policy) => {
    const oneJob = fc.record({
      processors: fc.integer({ min: 1, max: 10 }),
      walltimeSeconds: fc.integer({ min: 1, max: 500 }),
      gapSeconds: fc.integer({ min: 0, max: 60 }),
    });
    const outcomes = { started: 0, waited: 0 };
    fc.assert(
      fc.property(fc.array(oneJob, { minLength: 0, maxLength: 40 }), oneJob, (jobs, probe) => {
        const cluster = new Cluster({ processors: 10, policy: POLICIES[policy] });
        for (const { processors, walltimeSeconds, gapSeconds } of jobs) {
          cluster.advanceTo(cluster.now + gapSeconds);
          cluster.submit({
            submitAt: cluster.now,
            processors,
            walltimeSeconds,
            runSeconds: Math.ceil(walltimeSeconds / 2),
          });
        }
        cluster.advanceTo(cluster.now);
        const said = new BackfillPass(clusterSnapshot(cluster), policy === 'easy').wouldStart(probe, cluster.now);
        const job = cluster.submit({ ...probe, submitAt: cluster.now, runSeconds: 1 });
        cluster.advanceTo(cluster.now);
        const started = !Number.isNaN(cluster.table.columns.startAt[job] as number);
        expect(said).toBe(started);
        outcomes[started ? 'started' : 'waited']++;
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(Math.min(outcomes.started, outcomes.waited)).toBeGreaterThan(20);
  });
});
