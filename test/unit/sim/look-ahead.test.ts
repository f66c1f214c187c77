import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cluster } from '../../../src/sim/cluster.ts';
import { LookAhead } from '../../../src/sim/look-ahead.ts';
import { POLICIES } from '../../../src/sim/policy.ts';

const PROCESSORS = 16;

interface Drawn {
  readonly afterSeconds: number;
  readonly processors: number;
  readonly runSeconds: number;
  readonly slackSeconds: number;
}

const drawn = fc.record({
  afterSeconds: fc.integer({ min: 0, max: 300 }),
  processors: fc.integer({ min: 1, max: PROCESSORS }),
  runSeconds: fc.integer({ min: 1, max: 2000 }),
  slackSeconds: fc.integer({ min: 0, max: 2000 }),
});

function clusterWith(jobs: readonly Drawn[]): Cluster {
  const cluster = new Cluster({ processors: PROCESSORS, policy: POLICIES.easy });
  let at = 0;
  for (const { afterSeconds, processors, runSeconds, slackSeconds } of jobs) {
    at += afterSeconds;
    cluster.submit({ submitAt: at, processors, runSeconds, walltimeSeconds: runSeconds + slackSeconds });
  }
  cluster.advanceTo(at);
  return cluster;
}

function byTruth(cluster: Cluster) {
  const { runSeconds, dueAt } = cluster.table.columns;
  return (row: number, isRunning: boolean) =>
    isRunning ? (dueAt[row] as number) - cluster.now : (runSeconds[row] as number);
}

describe('looking ahead with the true runtimes', () => {
  test('is what comes true when nobody else comes, and leaves the machine as it was', () => {
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 30 }), drawn, (jobs, own) => {
        const cluster = clusterWith(jobs);
        const { processors, runSeconds, slackSeconds } = own;
        const walltimeSeconds = runSeconds + slackSeconds;
        const free = cluster.freeProcessors;
        const foreseen = new LookAhead(cluster, POLICIES.easy, byTruth(cluster)).waitSeconds({
          processors,
          walltimeSeconds,
        });
        expect(cluster.freeProcessors).toBe(free);
        const submitAt = cluster.now;
        const row = cluster.submit({ submitAt, processors, walltimeSeconds, runSeconds });
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        expect((cluster.table.columns.startAt[row] as number) - submitAt).toBe(foreseen);
      }),
    );
  });
});

test('a job waits for what is thought of the others, not for what they request', () => {
  const cluster = clusterWith([{ afterSeconds: 0, processors: PROCESSORS, runSeconds: 100, slackSeconds: 900 }]);
  const ahead = (seconds: number) => new LookAhead(cluster, POLICIES.easy, () => seconds);
  expect(ahead(250).waitSeconds({ processors: 1, walltimeSeconds: 60 })).toBe(250);
  expect(ahead(5000).waitSeconds({ processors: 1, walltimeSeconds: 60 })).toBe(1000);
});

test('jobs handed in for the same moment are in the queue before it', () => {
  const cluster = clusterWith([{ afterSeconds: 0, processors: 8, runSeconds: 500, slackSeconds: 0 }]);
  cluster.submit({ submitAt: cluster.now, processors: 8, runSeconds: 300, walltimeSeconds: 300 });
  const ahead = new LookAhead(cluster, POLICIES.easy, byTruth(cluster));
  expect(ahead.waitSeconds({ processors: 8, walltimeSeconds: 60 })).toBe(300);
});
