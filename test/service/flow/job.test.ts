import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { openWakeQueue } from '../../../src/flow/wake-queue.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { countRecordsOf } from '../../../src/store/records.ts';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { findCharges } from '../../../src/store/scores.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({
    scale: 300,
    sites: [
      { name: 'small', processors: 32, policy: 'fcfs', workload: { generated: { seed: 1, load: 0.9 } }, warmDays: 20 },
      { name: 'large', processors: 256, policy: 'easy', workload: { generated: { seed: 2, load: 0.5 } }, warmDays: 20 },
    ],
  });
  await world.startWorker();
  await world.until('both sites were observed', async () => {
    const sites = await Promise.all(['small', 'large'].map((name) => world.site(name)));
    return sites.every(({ observedAt, historySince }) => observedAt !== null && historySince !== null);
  });
});
afterAll(() => world.close());

function job(script: string, processors = 4) {
  const size = { processors, walltimeSeconds: 1800, queue: null, siteIds: [] };
  return { name: 'hello', script, arguments: [], deadlineAt: null, idempotencyKey: null, ...size };
}

test('an observed site has its facts, its queues and its history', async () => {
  const site = await world.site('large');
  expect(site.processors).toBe(256);
  expect(site.queues).toHaveLength(1);
  expect((await countRecordsOf(world.stores.database.db, [site.id])).get(site.id)).toBeGreaterThan(500);
});

test('a job is planned with reasons, submitted once under its key, followed to its end, charged and scored', async () => {
  const { executionId } = await submitJob(world.commands, world.principal, job('#!/bin/sh\nsleep 900\n'));
  await world.until('it is settled', async () => (await world.execution(executionId)).settledAt !== null);
  const execution = await world.execution(executionId);
  expect(execution).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED', exitCode: 0, attempts: 1 });
  expect((execution.endedAt ?? 0) - (execution.startedAt ?? 0)).toBe(900);

  const { db } = world.stores.database;
  const [plan] = await findNewestPlans(db, [executionId]);
  expect(plan?.candidates).toHaveLength(2);
  expect(plan?.candidates.filter(({ lostBecause }) => lostBecause === null)).toHaveLength(1);
  expect(plan?.candidates.every(({ explanation }) => explanation.length > 10)).toBe(true);

  const native = ['small', 'large'].flatMap((name) => world.nativeJobs(name));
  expect(native.filter(({ key }) => key === submissionKey(executionId, 1))).toHaveLength(1);

  expect(await findCharges(db, [executionId])).toMatchObject([{ kind: 'NEEDED', processorSeconds: 3600 }]);
  const scored = await readScoreCard(db, execution.siteId);
  expect(scored.map(({ predictor }) => predictor)).toEqual(expect.arrayContaining(['wait/qbets', 'baseline/mean']));
});

test('a script that fails, and one that outlives its walltime, end as what they are', async () => {
  const scripts = ['#!/bin/sh\nsleep 60\nexit 3\n', '#!/bin/sh\nsleep 99999\n'];
  const ids = await Promise.all(scripts.map((script) => submitJob(world.commands, world.principal, job(script))));
  await world.until('both are settled', async () => {
    const executions = await Promise.all(ids.map(({ executionId }) => world.execution(executionId)));
    return executions.every(({ settledAt }) => settledAt !== null);
  });
  const [failed, killed] = await Promise.all(ids.map(({ executionId }) => world.execution(executionId)));
  expect(failed).toMatchObject({ outcome: 'FAILED', exitCode: 3 });
  expect(killed).toMatchObject({ outcome: 'TIMEOUT' });
});

test('losing every wake-up loses nothing: the sweeper rebuilds them from the tables', async () => {
  const queue = await openWakeQueue({ databaseUrl: world.stores.url, redisUrl: null }, () => undefined);
  const ids = await Promise.all(
    Array.from({ length: 5 }, () => submitJob(world.commands, world.principal, job('#!/bin/sh\nsleep 120\n'))),
  );
  await world.stores.database.db.outbox.deleteMany({});
  await queue.obliterate();
  await queue.close();
  await world.until('all are settled', async () => {
    const executions = await Promise.all(ids.map(({ executionId }) => world.execution(executionId)));
    return executions.every(({ settledAt }) => settledAt !== null);
  });
  for (const { executionId } of ids) expect(await world.execution(executionId)).toMatchObject({ outcome: 'COMPLETED' });
});

test('a running job that is cancelled stops holding processors', async () => {
  const { executionId } = await submitJob(world.commands, world.principal, job('#!/bin/sh\nsleep 1700\n'));
  await world.until('it runs', async () => (await world.execution(executionId)).state === 'RUNNING');
  await cancelJob(world.commands, world.principal, { id: executionId, idempotencyKey: null });
  await world.until('it is settled', async () => (await world.execution(executionId)).settledAt !== null);
  const reason = 'cancelled by its caller';
  expect(await world.execution(executionId)).toMatchObject({ state: 'ENDED', outcome: 'CANCELLED', reason });
});
