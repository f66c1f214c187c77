import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { createWorld, type World } from './world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

test('jobs and plans follow what a queue shows while the accounting of its site is still being read', async () => {
  const site = { name: 'east', processors: 64, policy: 'easy' as const, warmDays: 1 };
  const here = await createWorld({ scale: 60, sites: [{ ...site, workload: { generated: { seed: 5, load: 0.01 } } }] });
  world = here;
  const { db } = here.stores.database;
  let isSlow = false;
  let wasAsked = false;
  let newestSnapshotAt = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await here.startWorker((adapter) => {
    const look = adapter.snapshot.bind(adapter);
    const read = adapter.history.bind(adapter);
    return Object.assign(adapter, {
      async snapshot() {
        const snapshot = await look();
        newestSnapshotAt = snapshot.observedAt;
        return snapshot;
      },
      async history(since: number) {
        if (isSlow) {
          wasAsked = true;
          await released;
        }
        return read(since);
      },
    });
  });
  await here.until('it was read once', async () => (await here.site('east')).historySince !== null);
  const { executionId } = await submitJob(here.commands, here.principal, {
    name: 'job',
    script: '#!/bin/sh\nsleep 86400\n',
    arguments: [],
    processors: 1,
    walltimeSeconds: 86_400,
    queue: null,
    siteIds: [],
    deadlineAt: null,
    idempotencyKey: null,
  });
  await here.until('the job is at its site', async () => (await here.execution(executionId)).nativeId !== null);
  isSlow = true;
  const dueAt = new Date(Math.floor(here.clock.now() - here.settings.historyIntervalSeconds) * 1000);
  await db.site.updateMany({ data: { historySince: dueAt } });
  await db.execution.updateMany({ data: { state: 'QUEUED', startedAt: null } });
  await here.until('accounting is being read', async () => wasAsked);
  expect((await here.site('east')).observedAt).toBeCloseTo(newestSnapshotAt, 2);
  expect((await here.execution(executionId)).state).toBe('RUNNING');
  expect((await here.site('east')).historySince).toBe(dueAt.getTime() / 1000);
  release();
  const isRead = async () => ((await here.site('east')).historySince ?? 0) > dueAt.getTime() / 1000;
  await here.until('accounting was read', isRead);
});
