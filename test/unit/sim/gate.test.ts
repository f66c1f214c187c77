import { expect, test } from 'vitest';
import { Cluster } from '../../../src/sim/cluster.ts';
import { nativeJobOf } from '../../../src/sim/cluster-snapshot.ts';
import { POLICIES } from '../../../src/sim/policy.ts';

const job = { submitAt: 0, processors: 4, walltimeSeconds: 1000, runSeconds: 100, gateSeconds: 500 };
const makeCluster = () => new Cluster({ processors: 8, policy: POLICIES.easy });

test('a job at its gate runs from when it is told to, beside others that end before and after', () => {
  const cluster = makeCluster();
  const gated = cluster.submit(job);
  const short = cluster.submit({ ...job, processors: 2, runSeconds: 250, gateSeconds: Number.NaN });
  const long = cluster.submit({ ...job, processors: 2, runSeconds: 900, gateSeconds: Number.NaN });
  cluster.advanceTo(200);
  expect(cluster.isGateShut(gated)).toBe(true);
  expect(cluster.openGate(gated)).toBe(true);
  expect(cluster.openGate(gated)).toBe(false);
  cluster.advanceTo(2000);
  expect([gated, short, long].map((one) => nativeJobOf(cluster, one))).toMatchObject([
    { startAt: 0, endAt: 300, outcome: 'COMPLETED' },
    { endAt: 250, outcome: 'COMPLETED' },
    { endAt: 900, outcome: 'COMPLETED' },
  ]);
});

test('one that is never told gives up, one that is told before its start begins with it', () => {
  const cluster = makeCluster();
  const never = cluster.submit(job);
  const told = cluster.submit({ ...job, submitAt: 10 });
  cluster.openGate(told);
  cluster.advanceTo(2000);
  expect(nativeJobOf(cluster, never)).toMatchObject({ startAt: 0, endAt: 500, outcome: 'FAILED' });
  expect(nativeJobOf(cluster, told)).toMatchObject({ startAt: 10, endAt: 110, outcome: 'COMPLETED' });
  expect(cluster.openGate(never)).toBe(false);
});

test('one that is told late is killed by its walltime', () => {
  const cluster = makeCluster();
  const late = cluster.submit({ ...job, runSeconds: 900 });
  cluster.advanceTo(400);
  cluster.openGate(late);
  cluster.advanceTo(2000);
  expect(nativeJobOf(cluster, late)).toMatchObject({ endAt: 1000, outcome: 'TIMEOUT' });
});
