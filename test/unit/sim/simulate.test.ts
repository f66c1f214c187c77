import { expect, test } from 'vitest';
import { longestWalltimeSeconds } from '../../../src/sim/logged-jobs.ts';
import { measure } from '../../../src/sim/metrics.ts';
import { POLICIES, type TieRule } from '../../../src/sim/policy.ts';
import { type Simulation, simulate } from '../../../src/sim/simulate.ts';
import { UNKNOWN_ROW, Workload, type WorkloadRow } from '../../../src/sim/workload.ts';

function log(rows: readonly Partial<WorkloadRow>[]): Workload {
  const workload = new Workload('by hand');
  for (const [index, row] of rows.entries()) {
    workload.add({
      ...UNKNOWN_ROW,
      id: index + 1,
      allocatedProcessors: 2,
      runSeconds: 50,
      requestedSeconds: 60,
      ...row,
    });
  }
  return workload;
}

function run(workload: Workload, ties: TieRule = 'ends-first'): Simulation {
  return simulate(workload, { processors: 4, policy: POLICIES.easy, ties });
}

function starts({ cluster }: Simulation): number[] {
  return Array.from(cluster.table.columns.startAt.subarray(0, cluster.table.length));
}

test('a job larger than the machine is left out and counted', () => {
  const simulation = run(log([{}, { allocatedProcessors: 5 }, {}]));
  expect([...simulation.jobOf]).toEqual([0, 2]);
  expect(Object.fromEntries(simulation.remarks)).toEqual({ 'larger than the machine, skipped': 1 });
});

test('under the ties of PySS it is cut to the machine and counted', () => {
  const simulation = run(log([{}, { allocatedProcessors: 5 }, {}]), 'pyss');
  expect(simulation.cluster.table.columns.processors[1]).toBe(4);
  expect(Object.fromEntries(simulation.remarks)).toEqual({ 'larger than the machine, cut to it': 1 });
});

test('jobs that never ran take a second and ask for what they asked for, also under the ties of PySS for a second', () => {
  const rows = [
    { runSeconds: -1, allocatedProcessors: -1 },
    { runSeconds: 0, allocatedProcessors: 1 },
    { runSeconds: -1, allocatedProcessors: -1, requestedSeconds: -1 },
  ];
  const { cluster, remarks } = run(log(rows));
  const { processors, endAt, walltimeSeconds } = cluster.table.columns;
  expect([...processors.subarray(0, 3)]).toEqual([1, 1, 1]);
  expect([...endAt.subarray(0, 3)]).toEqual([1, 1, 1]);
  expect([...walltimeSeconds.subarray(0, 3)]).toEqual([60, 60, 60]);
  expect(remarks.get('no positive runtime or size, runs 1 s')).toBe(3);
  const byPyss = run(log(rows), 'pyss').cluster.table.columns;
  expect([...byPyss.processors.subarray(0, 3)]).toEqual([1, 1, 1]);
  expect([...byPyss.walltimeSeconds.subarray(0, 3)]).toEqual([1, 1, 1]);
});

test('what ran beyond its request is cut to it, who requests nothing asks for the longest; both are counted', () => {
  const simulation = run(log([{ runSeconds: 90 }, { requestedSeconds: -1 }, { requestedSeconds: 600 }]));
  const { endAt, walltimeSeconds } = simulation.cluster.table.columns;
  expect([...endAt.subarray(0, 2)]).toEqual([60, 50]);
  expect([...walltimeSeconds.subarray(0, 2)]).toEqual([60, 600]);
  expect(Object.fromEntries(simulation.remarks)).toEqual({
    'ran beyond its requested time, cut to it': 1,
    'no requested time, asks for the longest there is': 1,
  });
});

test('the longest walltime is what the header says, else the longest request, else the longest run', () => {
  const requesting = log([{ requestedSeconds: 600 }, {}]);
  expect(longestWalltimeSeconds(requesting)).toBe(600);
  requesting.header.set('MaxRuntime', '64800');
  expect(longestWalltimeSeconds(requesting)).toBe(64_800);
  expect(longestWalltimeSeconds(log([{ requestedSeconds: -1 }, { requestedSeconds: -1, runSeconds: 70 }]))).toBe(70);
});

test('for how long a job asks does not depend on what became of it', () => {
  const ran = { runSeconds: 90, allocatedProcessors: 2, requestedProcessors: 2 };
  const fates = [ran, { ...ran, runSeconds: 5 }, { ...ran, runSeconds: -1 }];
  const asked = [60, -1].map((requestedSeconds) => {
    const longest = { requestedSeconds: 600 };
    const columns = fates.map((fate) => run(log([{ ...fate, requestedSeconds }, longest])).cluster.table.columns);
    return columns.map(({ processors, walltimeSeconds }) => [processors[0], walltimeSeconds[0]]);
  });
  expect(asked).toEqual([Array(3).fill([2, 60]), Array(3).fill([2, 600])]);
});

test('the tie rules differ where an end and a submission share a moment', () => {
  // The first job ends at 50, before its request is over. At 50 a job that takes the whole machine comes first in the
  // log, and one that fits beside nothing else comes second.
  const rows = [
    { allocatedProcessors: 3 },
    { submitAt: 50, allocatedProcessors: 4 },
    { submitAt: 50, allocatedProcessors: 1, runSeconds: 5, requestedSeconds: 5 },
  ];
  expect(starts(run(log(rows)))).toEqual([0, 50, 100]);
  expect(starts(run(log(rows), 'pyss'))).toEqual([0, 55, 50]);
});

test('the measures of a schedule', () => {
  // Waits 0 and 50 s; bounded slowdowns 1 and (50 + 5) / 10.
  const metrics = measure(
    run(log([{ allocatedProcessors: 4 }, { allocatedProcessors: 4, runSeconds: 5, requestedSeconds: 5 }])),
  );
  expect(metrics).toEqual({
    jobs: 2,
    meanWaitSeconds: 25,
    meanBoundedSlowdown: (1 + 5.5) / 2,
    utilization: 1,
    makespanSeconds: 55,
  });
});
