import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { JobResources } from '../../../src/domain/resources.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { findCharges } from '../../../src/store/scores.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  const gpus = [{ kind: 'a100', count: 4 }];
  const nodes = { count: 2, processors: 16, memoryMebibytes: 65_536, gpus, load: 0.2 };
  const queues = [
    { name: 'batch', isDefault: true },
    { name: 'gpu', nodes },
  ];
  world = await createWorld({
    scale: 300,
    sites: [
      { name: 'plain', processors: 32, workload: { generated: { seed: 1, load: 0.2 } }, warmDays: 10 },
      { name: 'mixed', processors: 32, queues, workload: { generated: { seed: 2, load: 0.2 } }, warmDays: 10 },
    ],
  });
  await world.startWorker();
  await world.until('both sites were observed', async () => {
    const sites = await Promise.all(['plain', 'mixed'].map((name) => world.site(name)));
    return sites.every(({ observedAt, historySince }) => observedAt !== null && historySince !== null);
  });
});
afterAll(() => world.close());

async function settled(resources: JobResources) {
  const size = { processors: 4, walltimeSeconds: 1800, queue: null, siteIds: [], resources };
  const text = { name: 'asks', script: '#!/bin/sh\nsleep 900\n', arguments: [] };
  const { executionId } = await submitJob(world.commands, world.principal, {
    ...text,
    ...size,
    deadlineAt: null,
    idempotencyKey: null,
  });
  await world.until('it is settled', async () => (await world.execution(executionId)).settledAt !== null);
  return world.execution(executionId);
}

test('a job goes where its GPUs are, runs there and is charged what the site accounts for', async () => {
  const execution = await settled({ gpus: 2, gpuKind: 'a100' });
  const { db } = world.stores.database;
  expect(execution).toMatchObject({ outcome: 'COMPLETED', siteQueue: 'gpu', billedProcessors: 8 });
  expect(execution.siteId).toBe((await world.site('mixed')).id);
  expect(await findCharges(db, [execution.id])).toMatchObject([{ kind: 'NEEDED', processorSeconds: 8 * 900 }]);
  const [plan] = await findNewestPlans(db, [execution.id]);
  const lacking = plan?.candidates.filter(({ lostBecause }) => lostBecause === 'LACKS_RESOURCES');
  expect(lacking?.map(({ siteName, queue }) => `${siteName} ${queue}`).sort()).toEqual(['mixed batch', 'plain batch']);
});

test('memory that takes processors with it is charged as the processors it takes', async () => {
  const execution = await settled({ memoryPerNodeMebibytes: 49_152 });
  expect(execution).toMatchObject({ outcome: 'COMPLETED', billedProcessors: 12 });
});

test('a job that no site can hold is refused with what each lacks, and nothing is written', async () => {
  const before = await world.stores.database.db.execution.count();
  await expect(settled({ gpus: 9 })).rejects.toMatchObject({
    code: 'NO_ELIGIBLE_SITE',
    message: expect.stringMatching(/mixed cannot give it gpus: 9 GPUs asked for, its nodes have 8; plain cannot/),
  });
  expect(await world.stores.database.db.execution.count()).toBe(before);
});
