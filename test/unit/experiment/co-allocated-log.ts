import { expect } from 'vitest';
import type { ExperimentRow } from '../../../src/experiment/experiment.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';

/** How the experiment of co-allocations is run on a generated log. */
export const CO_ALLOCATIONS = {
  predictors: 'wait/gridcast',
  warmUpDays: 2,
  recomputeSeconds: 3600,
  retrySeconds: 1800,
  snapshotSeconds: 1800,
  pollSeconds: 600,
  usersPerKind: 1,
};

/** A generated log of so many jobs. */
export function groupsLog(jobs: number) {
  return { generated: { seed: 3, load: 0.6, processors: 64, jobs } };
}

/** Groups over the thirds of a log of so many jobs, more than `fewest` of them: promised, kept and charged. */
export async function expectGroups(jobs: number, fewest: number): Promise<readonly ExperimentRow[]> {
  const { rows } = await runExperiment('co-allocation', { source: groupsLog(jobs), parameters: CO_ALLOCATIONS });
  const all = rows.find(({ name }) => name === 'wait/gridcast/all kinds');
  expect(all?.groups as number).toBeGreaterThan(fewest);
  for (const row of rows.filter(({ chargeRatio }) => Number.isFinite(chargeRatio))) {
    expect(row.pessimisticJoint as number).toBeLessThanOrEqual(row.promisedJoint as number);
    expect(row.chargeRatio as number).toBeGreaterThanOrEqual(1);
  }
  // In a site's first weeks more fails together than is measured yet: what is kept is what the pessimistic figure says.
  const kept = all?.actualShare as number;
  expect(kept + (all?.twoStandardErrors as number)).toBeGreaterThanOrEqual(all?.pessimisticJoint as number);
  expect(kept).toBeLessThanOrEqual((all?.promisedJoint as number) + (all?.twoStandardErrors as number));
  return rows;
}
