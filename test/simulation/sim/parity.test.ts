import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { measure } from '../../../src/sim/metrics.ts';
import { POLICIES } from '../../../src/sim/policy.ts';
import { readWorkload } from '../../../src/sim/read-workload.ts';
import { simulate } from '../../../src/sim/simulate.ts';

const SHARED = fileURLToPath(new URL('../../../../shared/', import.meta.url));

/** Runs of PySS with the mean bounded slowdowns that it reported. */
const RUNS = [
  { policy: 'easy', peer: 'easy', log: 'KTH-SP2-1996-2.1-cln', slowdown: 92.87 },
  { policy: 'easy', peer: 'easy', log: 'SDSC-SP2-1998-4.2-cln', slowdown: 106.96 },
  { policy: 'easy', peer: 'easy', log: 'ANL-Intrepid-2009-1', slowdown: 6.94 },
  { policy: 'easy', peer: 'easy', log: 'HPC2N-2002-2.2-cln', slowdown: 87.87 },
  { policy: 'fcfs', peer: 'fcfs', log: 'SDSC-SP2-1998-4.2-cln', slowdown: 28_042.76 },
  { policy: 'conservative', peer: 'cons', log: 'SDSC-SP2-1998-4.2-cln', slowdown: 110.91 },
] as const;

interface PeerRun {
  readonly startAt: ReadonlyMap<number, number>;
  readonly meanWaitSeconds: number;
}

function readPeer(path: string): PeerRun {
  const [, ...lines] = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  const rows = lines.map((line) => line.split(',').map(Number));
  return {
    startAt: new Map(rows.map(([id, , start]) => [id as number, start as number])),
    meanWaitSeconds: rows.reduce((sum, row) => sum + (row[3] as number), 0) / rows.length,
  };
}

describe.each(RUNS)('$policy on $log', ({ policy, peer, log, slowdown }) => {
  const trace = `${SHARED}traces/${log}.swf.gz`;
  const peerFile = `${SHARED}peers/pyss-${peer}-${log}.csv.gz`;
  const missing = [trace, peerFile].filter((path) => !existsSync(path));

  test('starts every job when PySS does, under its ties', async (context) => {
    context.skip(missing.length > 0, `needs ${missing.join(' and ')}`);
    const workload = await readWorkload(trace);
    const processors = workload.machineProcessors as number;
    const simulation = simulate(workload, { processors, policy: POLICIES[policy], ties: 'pyss' });
    const { startAt } = readPeer(peerFile);
    const starts = simulation.cluster.table.columns.startAt;
    const ids = [...simulation.jobOf].map((job) => workload.columns.id[job] as number);
    expect(ids.length).toBe(startAt.size);
    const different = ids.filter((id, index) => starts[index] !== startAt.get(id));
    console.log(`${policy} on ${log}: ${ids.length - different.length} of ${ids.length} starts equal PySS's`);
    expect(different).toEqual([]);
    expect(measure(simulation).meanBoundedSlowdown).toBeCloseTo(slowdown, 2);
  });

  test('waits on average within 3 % of PySS under our own ties, and of what jobs tell when they are submitted', async (context) => {
    context.skip(missing.length > 0, `needs ${missing.join(' and ')}`);
    const workload = await readWorkload(trace);
    const simulation = simulate(workload, {
      processors: workload.machineProcessors as number,
      policy: POLICIES[policy],
    });
    const { meanWaitSeconds } = readPeer(peerFile);
    const own = measure(simulation).meanWaitSeconds;
    console.log(`${policy} on ${log}: mean wait ${own.toFixed(2)} s, PySS ${meanWaitSeconds.toFixed(2)} s`);
    expect(Math.abs(own / meanWaitSeconds - 1)).toBeLessThan(0.03);
  });
});
