import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cluster } from '../../../src/sim/cluster.ts';
import { clusterSnapshot } from '../../../src/sim/cluster-snapshot.ts';
import { LookAhead } from '../../../src/sim/look-ahead.ts';
import { POLICIES, type Policy } from '../../../src/sim/policy.ts';
import { SiteAhead, siteNow } from '../../../src/sim/site-ahead.ts';

const PROCESSORS = 16;

const drawn = fc.record({
  afterSeconds: fc.integer({ min: 0, max: 300 }),
  processors: fc.integer({ min: 1, max: PROCESSORS }),
  runSeconds: fc.integer({ min: 1, max: 2000 }),
  slackSeconds: fc.integer({ min: -500, max: 2000 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Job> ? Job : never;

const policy = fc.constantFrom<Policy>(POLICIES.easy, POLICIES.fcfs, POLICIES.wfp, POLICIES.sjf);

function clusterWith(jobs: readonly Drawn[], ofPolicy: Policy): Cluster {
  const cluster = new Cluster({ processors: PROCESSORS, policy: ofPolicy });
  let at = 0;
  for (const { afterSeconds, processors, runSeconds, slackSeconds } of jobs) {
    at += afterSeconds;
    cluster.submit({ submitAt: at, processors, runSeconds, walltimeSeconds: Math.max(1, runSeconds + slackSeconds) });
  }
  cluster.advanceTo(at);
  return cluster;
}

describe('a copy of a site that runs on with the true runtimes', () => {
  test('does what the site will do, whatever its policy, and kills at the walltime', () => {
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 25 }), policy, (jobs, ofPolicy) => {
        const cluster = clusterWith(jobs, ofPolicy);
        const { runSeconds, startAt, endAt } = cluster.table.columns;
        const ran = (row: number) => cluster.now - (startAt[row] as number);
        const ahead = new LookAhead(cluster, ofPolicy, (row, isRunning) =>
          isRunning ? (runSeconds[row] as number) - ran(row) : (runSeconds[row] as number),
        );
        const rows = [...cluster.running(), ...cluster.waiting()];
        const foreseen = rows.map((row) => ahead.runOf(row)?.endAt);
        const runs = ahead.runsUntil(Number.POSITIVE_INFINITY);
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        expect(foreseen).toEqual(rows.map((row) => endAt[row]));
        expect(rows.map((row) => runs.get(row)?.endAt)).toEqual(foreseen);
      }),
      { numRuns: 60 },
    );
  });

  test('can be made of what the site says of itself', () => {
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 25 }), (jobs) => {
        const cluster = clusterWith(jobs, POLICIES.easy);
        const { runSeconds, endAt } = cluster.table.columns;
        const rowOf = ({ nativeId }: { nativeId: string }) => Number(nativeId) - 1;
        const state = clusterSnapshot(cluster);
        const ahead = new SiteAhead(siteNow(state, POLICIES.easy, (job) => runSeconds[rowOf(job)] as number));
        const foreseen = ahead.runsUntil(Number.POSITIVE_INFINITY).map((run) => run?.endAt);
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        expect(foreseen).toEqual([...state.running, ...state.waiting].map((job) => endAt[rowOf(job)]));
      }),
      { numRuns: 60 },
    );
  });
});

test('a job that outran what was thought of it is about to end, and one thought longer than its walltime is killed', () => {
  const running = [{ processors: 8, walltimeSeconds: 900, runSeconds: -50 }];
  const waiting = [{ processors: 16, walltimeSeconds: 300, runSeconds: 5000 }];
  const ahead = new SiteAhead({ now: 100, processors: 16, policy: POLICIES.easy, running, waiting });
  expect(ahead.runOf(0)).toEqual({ startAt: 100, endAt: 101 });
  expect(ahead.runOf(1)).toEqual({ startAt: 101, endAt: 401 });
});

test('processors that a site neither has free nor in use are not counted on', () => {
  const state = { observedAt: 100, processors: 16, freeProcessors: 2, running: [], waiting: [] };
  expect(siteNow(state, POLICIES.easy, () => 60).processors).toBe(2);
});

test('only what starts until a moment has a run', () => {
  const jobs = [8, 16, 4].map((processors) => ({ processors, walltimeSeconds: 600, runSeconds: 600 }));
  const site = { now: 0, processors: 16, policy: POLICIES.fcfs, running: jobs.slice(0, 1), waiting: jobs.slice(1) };
  expect(new SiteAhead(site).runsUntil(700)).toEqual([{ startAt: 0, endAt: 600 }, { startAt: 600, endAt: 1200 }, null]);
});
