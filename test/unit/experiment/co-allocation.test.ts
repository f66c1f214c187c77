import { expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { CO_ALLOCATIONS, expectGroups, groupsLog } from './co-allocated-log.ts';

test('groups over the thirds of a log are promised, kept and charged', async () => {
  await expectGroups(1500, 10);
});

test('two logs are too few', async () => {
  const parameters = { ...CO_ALLOCATIONS, alsoTraces: 'other.swf' };
  await expect(runExperiment('co-allocation', { source: groupsLog(100), parameters })).rejects.toThrow('needs 3 logs');
});
