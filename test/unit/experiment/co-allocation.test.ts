import { expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run-experiment.ts';

const source = { generated: { seed: 3, load: 0.6, processors: 64, jobs: 3000 } };
const parameters = {
  predictors: 'wait/gridcast',
  warmUpDays: 2,
  recomputeSeconds: 3600,
  retrySeconds: 1800,
  snapshotSeconds: 1800,
  pollSeconds: 600,
  usersPerKind: 1,
};

test('groups over the thirds of a log are promised, kept and charged', async () => {
  const { rows } = await runExperiment('co-allocation', { source, parameters });
  const all = rows.find(({ name }) => name === 'wait/gridcast/all kinds');
  expect(all?.groups as number).toBeGreaterThan(100);
  for (const row of rows) {
    expect(row.pessimisticJoint as number).toBeLessThanOrEqual(row.promisedJoint as number);
    expect(row.chargeRatio as number).toBeGreaterThanOrEqual(1);
  }
  const eitherOr = rows.find(({ name }) => name === 'wait/gridcast/any of two at 0.9');
  expect(eitherOr?.promisedJoint as number).toBeGreaterThanOrEqual(0.99);
  expect(eitherOr?.cancelledLosers as number).toBeGreaterThan(0);
  // In a site's first weeks more fails together than is measured yet: what is kept is what the pessimistic figure says.
  const kept = all?.actualShare as number;
  expect(kept + (all?.twoStandardErrors as number)).toBeGreaterThanOrEqual(all?.pessimisticJoint as number);
  expect(kept).toBeLessThanOrEqual((all?.promisedJoint as number) + (all?.twoStandardErrors as number));
});

test('two logs are too few', async () => {
  const told = { ...parameters, alsoTraces: 'other.swf' };
  await expect(runExperiment('co-allocation', { source, parameters: told })).rejects.toThrow('needs 3 logs');
});
