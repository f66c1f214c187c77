import { afterEach, describe, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { askForQueued, createDownWorld, jobsOf, RESUMES_AFTER, whileDrained } from './down-world.ts';
import {
  askForLegs,
  expectMoved,
  expectStayed,
  expectWandered,
  hasWish,
  isSuspended,
  workerWith,
} from './queued-promise.ts';
import { attemptsOf, executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

describe('a promise whose job waits in the queue of a site that goes down', () => {
  test('is moved when the site has given the job back, and costs nothing there', async () => {
    world = await createDownWorld(1);
    const id = await askForQueued(world, 'queued');
    await world.until('it is suspended', isSuspended(world));
    expect(await executionOf(world, id)).toMatchObject({ state: 'QUEUED', siteId: world.siteIds.get('east') });
    await world.until('the wish is on record', hasWish(world, id));
    expect(jobsOf(world, 'west', id)).toEqual([]);
    await world.until('it has moved', async () => (await executionOf(world, id))?.siteId === world.siteIds.get('west'));
    const reason = /moved to west: east is taken to be down and has given its job back/;
    expect((await executionOf(world, id))?.reason).toMatch(reason);
    await world.until('it is settled', isSettled(world, id));
    await expectMoved(world, id);
    const [plan] = await findNewestPlans(world.database.db, [id]);
    expect(plan?.candidates[0]?.explanation).toMatch(/^west promises .*, as east is taken to be down/);
    const [job] = jobsOf(world, 'west', id);
    const charges = await world.database.db.charge.findMany({ where: { executionId: id } });
    const charged = charges.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
    expect(charged).toBe(4 * ((job?.endAt ?? 0) - (job?.startAt ?? 0)));
  });

  test('stays while the site does not answer, and is kept by it when it is back in time', async () => {
    world = await createDownWorld(2);
    const beganAt = world.clock.now();
    const id = await askForQueued(world, 'silent');
    let isAway = false;
    const silent = async () => {
      if (isAway) throw new Unavailable('east does not answer', 'connection refused');
    };
    const worker = workerWith(world, (adapter) => ({
      snapshot: () => silent().then(() => adapter.snapshot()),
      inspect: (jobs) => silent().then(() => adapter.inspect(jobs)),
      cancel: (job) => silent().then(() => adapter.cancel(job)),
      find: (key, at) => silent().then(() => adapter.find(key, at)),
      history: (since) => silent().then(() => adapter.history(since)),
    }));
    await world.until('it is queued', async () => (await executionOf(world, id))?.state === 'QUEUED', worker);
    isAway = true;
    await world.until('it is suspended', isSuspended(world), worker);
    await world.until('the site works again', async () => world.clock.now() > beganAt + RESUMES_AFTER + 900, worker);
    expect(await executionOf(world, id)).toMatchObject({ state: 'QUEUED', siteId: world.siteIds.get('east') });
    expect(await attemptsOf(world, id)).toEqual(['ACCEPTED']);
    isAway = false;
    await world.until('it is settled', isSettled(world, id), worker);
    await expectStayed(world, id);
  });

  test('moves although the answer to its cancellation was lost', async () => {
    world = await createDownWorld(4);
    const id = await askForQueued(world, 'timed-out');
    const worker = workerWith(world, (adapter) => ({
      async cancel(job) {
        await adapter.cancel(job);
        throw new Unknown('no answer in time');
      },
    }));
    await world.until('it is settled', isSettled(world, id), worker);
    await expectMoved(world, id);
  });
});

describe('a leg in the queue of a site that goes down', () => {
  test('moves to a site where no other leg lives', async () => {
    world = await createDownWorld(11, ['west', 'north']);
    const id = await askForLegs(world);
    await world.until('it is settled', isSettled(world, id));
    await expectWandered(world, id, 'west');
  });
});

test('a job without a promise stays in the queue of a site that goes down', async () => {
  world = await createDownWorld(12);
  const work = { script: '#!/bin/sh\nsleep 900\n', arguments: [], processors: 4, walltimeSeconds: 1800, queue: null };
  const job = { ...work, name: 'plain', siteIds: [], deadlineAt: null, idempotencyKey: null };
  let id = '';
  await whileDrained(world, ['west'], async () => {
    world.clock.advanceTo(world.clock.now() + 120);
    id = (await submitJob(world.commands, world.principal, job)).executionId;
    await world.until('it is queued', async () => (await executionOf(world, id))?.state === 'QUEUED');
  });
  await world.until('it is suspended', isSuspended(world));
  await world.until('it is settled', isSettled(world, id));
  expect(await executionOf(world, id)).toMatchObject({
    outcome: 'COMPLETED',
    siteId: world.siteIds.get('east'),
    attempts: 1,
  });
  expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
});
