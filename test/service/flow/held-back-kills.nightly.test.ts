import { afterAll, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { startFlowWorker } from '../../../src/flow/worker.ts';
import { tellingForecaster } from './held-back-world.ts';
import { amid, Crew, createStormyWorld, expectNothingLost, untilObserved, untilSettled } from './storm.ts';
import { WORK } from './usual-work.ts';
import { flowContext, type World } from './world.ts';

let world: World;
let crew: Crew | null = null;
afterAll(async () => {
  crew?.dismiss();
  await world.close();
});

/** Hands jobs in to a worker that finds a delay worth while, and ends it once all are held back. */
async function holdBack(jobs: number): Promise<void> {
  const forecaster = tellingForecaster(world.forecaster, {
    laterInSeconds: 2700,
    atOnceSeconds: 36_000,
    laterSeconds: 60,
  });
  const queues = { databaseUrl: world.stores.url, redisUrl: null };
  const worker = await startFlowWorker({ ...flowContext(world, (adapter) => adapter), forecaster }, queues);
  await untilObserved(world);
  for (let n = 0; n < jobs; n++) {
    const job = { ...WORK, name: `job-${n}`, siteIds: [], deadlineAt: null, maxDelaySeconds: 7200 };
    await submitJob(world.commands, world.principal, job);
  }
  const { execution } = world.stores.database.db;
  const areHeld = async () =>
    (await execution.count({ where: { state: 'HELD', heldBackSince: { not: null } } })) === jobs;
  await world.until('all are held back', areHeld);
  await worker.close();
}

test('killed workers lose no job that is held back and make none twice', { timeout: 240_000 }, async () => {
  world = await createStormyWorld();
  await holdBack(8);
  const workers = new Crew(world, 2);
  crew = workers;
  await amid(
    (turn) => workers.kill(turn),
    { everyMilliseconds: 1500, most: 6 },
    () => untilSettled(world, 200),
  );
  const { executions } = await expectNothingLost(world, `held back: ${workers.kills} kills`);
  expect(executions).toBe(8);
  expect(workers.kills).toBeGreaterThan(1);
  expect(workers.died).toBe(0);
});
