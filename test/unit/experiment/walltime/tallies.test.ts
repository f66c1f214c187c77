import { expect, test } from 'vitest';
import { accuracyOf, EstimateTally } from '../../../../src/experiment/walltime/estimate-tally.ts';
import { monthsOf } from '../../../../src/experiment/walltime/months.ts';
import { FCFS_PRIORITY, WFP_PRIORITY } from '../../../../src/experiment/walltime/schedule-figures.ts';
import { WaitTally } from '../../../../src/experiment/walltime/wait-tally.ts';
import { UNKNOWN_ROW, Workload } from '../../../../src/sim/workload.ts';

test.each([
  [100, 100, 1],
  [50, 100, 0.5],
  [100, 50, 0.5],
  [0, 100, 0],
  [0, 0, 1],
])('a job that ran %i s and was thought to run %i s is estimated with accuracy %f', (ran, estimate, accuracy) => {
  expect(accuracyOf(ran, estimate)).toBe(accuracy);
});

test('estimates are what is requested, enough, short by less than half an hour, or bad', () => {
  const tally = new EstimateTally();
  tally.add(7200, 3600, 7200); // accuracy .5
  tally.add(7200, 3600, 3600); // 1
  tally.add(7200, 3600, 1801); // .5003
  tally.add(7200, 3600, 1800); // .5
  expect(tally.figures()).toEqual({
    jobs: 4,
    accuracyMean: (0.5 + 1 + 1801 / 3600 + 0.5) / 4,
    accuracyMedian: 0.5,
    naShare: 0.25,
    oeShare: 0.25,
    ueShare: 0.25,
    beShare: 0.25,
  });
});

test('waits are weighted by the priorities that jobs start with', () => {
  const tally = new WaitTally();
  tally.add({ waitSeconds: 100, ranSeconds: 50, priority: 1, priorityBefore: 3 });
  tally.add({ waitSeconds: 400, ranSeconds: 0, priority: 2, priorityBefore: 1 });
  expect(tally.figures()).toEqual({
    jobs: 2,
    meanWaitSeconds: 250,
    meanSlowdown: (3 + 400) / 2,
    meanBoundedSlowdown: (3 + 40) / 2,
    weightedWaitSeconds: (100 + 800) / 3,
    alikeWeightedWaitSeconds: (300 + 400) / 4,
  });
});

test('priorities are the (wait / requested)^3 x size of WFP, and the wait', () => {
  const job = { waitSeconds: 600, requestedSeconds: 300, processors: 5 };
  expect(WFP_PRIORITY(job)).toBe(40);
  expect(FCFS_PRIORITY(job)).toBe(600);
});

test('months are of 30 days, a short last one belongs to the one before, and the last two fifths are scored', () => {
  const day = 86_400;
  const workload = new Workload('log');
  for (const submitAt of [5, 5 + 160 * day]) workload.add({ ...UNKNOWN_ROW, submitAt });
  const months = monthsOf(workload, 0.4);
  expect([months.count, months.firstScored]).toEqual([5, 3]);
  expect([5, 4 + 30 * day, 5 + 30 * day, 5 + 160 * day].map(months.of)).toEqual([0, 0, 1, 4]);
  expect(monthsOf(workload, 1).firstScored).toBe(0);
  expect(monthsOf(new Workload('empty'), 0.4)).toMatchObject({ count: 1, firstScored: 0 });
});
