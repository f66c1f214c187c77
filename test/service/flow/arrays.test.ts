import { afterEach, expect, test } from 'vitest';
import { cancelJobs } from '../../../src/commands/cancel-jobs.ts';
import { type SubmitArrayInput, submitArray } from '../../../src/commands/submit-array.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { Crash } from './faults.ts';
import { takingAtMost } from './full-site.ts';
import { live, mortal } from './mortal-worker.ts';
import { executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const SITES = ['east', 'west', 'north'];

async function submit(input: Partial<SubmitArrayInput> = {}): Promise<string> {
  const array = { ...WORK, name: 'sweep', siteIds: [], deadlineAt: null, tasks: 30, ...input };
  return (await submitArray(world.commands, world.principal, array)).groupId;
}

const tasksOf = (groupId: string) =>
  world.database.db.execution.findMany({ where: { groupId }, orderBy: { taskIndex: 'asc' } });
const groupOf = (id: string) => world.database.db.jobGroup.findUniqueOrThrow({ where: { id } });
const isOver = (id: string) => async () => (await groupOf(id)).endedAt !== null;

/** Submissions of our jobs that the sites took, by their keys. */
const taken = () => SITES.flatMap((name) => world.journal(name).filter(({ kind }) => kind === 'submit'));

test('tasks are written at once, spread over the sites, and each finds its index', async () => {
  world = await createIdleWorld(51, ...SITES);
  const specs: JobSpec[] = [];
  const adapter = (plain: SiteAdapter): SiteAdapter => ({
    ...plain,
    submit: (spec, key) => {
      specs.push(spec);
      return plain.submit(spec, key);
    },
  });
  const id = await submit({ tasks: 80, firstIndex: 10, step: 5, arguments: ['--part={index}', '{index}/$(x)'] });
  expect(await tasksOf(id)).toHaveLength(80);
  await world.until('it is over', isOver(id), world.worker({ adapter }));
  const tasks = await tasksOf(id);
  expect(tasks.map(({ taskIndex }) => taskIndex)).toEqual(Array.from({ length: 80 }, (_, n) => 10 + 5 * n));
  expect(tasks.every(({ outcome, settledAt }) => outcome === 'COMPLETED' && settledAt !== null)).toBe(true);
  expect(new Set(tasks.map(({ siteId }) => siteId)).size).toBe(3);
  const indexes = tasks.map(({ taskIndex }) => String(taskIndex)).sort();
  const told = specs.map(({ script }) => /^GRIDCAST_TASK_INDEX=(\d+)$/m.exec(script)?.[1]);
  expect(told.sort()).toEqual(indexes);
  expect(specs.map(({ arguments: [part] }) => part?.slice('--part='.length)).sort()).toEqual(indexes);
  expect(specs.map(({ arguments: [, last] }) => last).sort()).toEqual(indexes.map((index) => `${index}/$(x)`));
  // Far fewer plans than tasks, for all of them ask the same.
  expect(await world.database.db.plan.count()).toBeLessThan(20);
  const plans = await findNewestPlans(
    world.database.db,
    tasks.map((task) => task.id),
  );
  for (const { executionId, chosenSiteId, candidates } of plans) {
    const { siteId } = tasks.find((task) => task.id === executionId) ?? {};
    expect(chosenSiteId).toBe(siteId);
    expect(candidates.filter(({ lostBecause }) => lostBecause === null).map((one) => one.siteId)).toEqual([siteId]);
  }
});

test('no more are at sites at once than the limit says', async () => {
  world = await createIdleWorld(61, ...SITES);
  const id = await submit({ tasks: 14, limit: 4 });
  let most = 0;
  const { db } = world.database;
  await world.until('it is over', async () => {
    const atSites = { groupId: id, state: { in: ['HELD', 'SUBMITTING', 'QUEUED', 'RUNNING'] as const } };
    most = Math.max(most, await db.execution.count({ where: { ...atSites, state: { in: [...atSites.state.in] } } }));
    return isOver(id)();
  });
  expect(most).toBe(4);
  expect((await tasksOf(id)).every(({ outcome }) => outcome === 'COMPLETED')).toBe(true);
});

test('a site that takes so many jobs of a user is kept as full as that, and refuses few', async () => {
  world = await createIdleWorld(71, 'east');
  const words = 'Job violates accounting/QOS policy (QOSMaxSubmitJobPerUserLimit)';
  const { adapter, refused } = takingAtMost(5, words);
  const id = await submit({ tasks: 20 });
  await world.until('it is over', isOver(id), world.worker({ adapter }));
  const tasks = await tasksOf(id);
  expect(tasks.every(({ outcome }) => outcome === 'COMPLETED')).toBe(true);
  expect(refused()).toBeGreaterThan(0);
  expect(refused()).toBeLessThan(10);
  // Five at a time of a quarter of an hour each are an hour; waiting for refusals to run out would double that.
  const lastedSeconds = (await groupOf(id)).endedAt?.getTime() ?? 0;
  const begun = Math.min(...tasks.map(({ createdAt }) => createdAt.getTime()));
  expect((lastedSeconds - begun) / 60_000).toBeLessThan(110);
});

test('tasks that no site takes any more are rejected, each with the reason', async () => {
  world = await createIdleWorld(81, 'east');
  const id = await submit({ tasks: 12 });
  const adapter = (plain: SiteAdapter): SiteAdapter => ({
    ...plain,
    submit: async () => {
      throw new Rejected('your script is not to our taste');
    },
  });
  await world.until('it is over', isOver(id), world.worker({ adapter }));
  for (const { outcome, reason } of await tasksOf(id)) {
    expect(outcome).toBe('REJECTED');
    expect(reason).toContain('not to our taste');
  }
});

test('workers that die lose no task and make none twice', async () => {
  world = await createIdleWorld(91, ...SITES);
  const id = await submit({ tasks: 20, limit: 8 });
  let deaths = 0;
  const visit = () => {
    if (world.random.uniform() >= 0.02) return;
    deaths++;
    throw new Crash('it died');
  };
  await live(world, mortal(world, visit), isOver(id));
  expect(deaths).toBeGreaterThan(0);
  const tasks = await tasksOf(id);
  expect(tasks.filter(({ outcome }) => outcome !== 'COMPLETED')).toEqual([]);
  const cancelled = new Set(
    SITES.flatMap((name) => world.journal(name)).flatMap((entry) => (entry.kind === 'cancel' ? entry.nativeId : [])),
  );
  const keys = taken().flatMap((entry) => (entry.kind === 'submit' && !cancelled.has(entry.nativeId) ? entry.key : []));
  expect(keys).toHaveLength(20);
  expect(new Set(keys.map((key) => key.split('-')[1])).size).toBe(20);
});

test('a job that comes after a group begins when its last task has ended, if all of them succeeded', async () => {
  world = await createIdleWorld(95, 'east');
  const [good, bad] = [await submit({ tasks: 5 }), await submit({ tasks: 3, script: '#!/bin/sh\nexit 3\n' })];
  const job = { ...WORK, siteIds: [], deadlineAt: null };
  const after = (name: string, groupId: string, condition: 'SUCCESS' | 'ANY_END') =>
    submitJob(world.commands, world.principal, { ...job, name, afterGroups: [{ groupId, condition }] });
  const [next, never, anyway] = [
    await after('next', good, 'SUCCESS'),
    await after('never', bad, 'SUCCESS'),
    await after('anyway', bad, 'ANY_END'),
  ];
  for (const { executionId } of [next, never, anyway]) await world.until('settled', isSettled(world, executionId));
  const last = Math.max(...(await tasksOf(good)).map(({ endedAt }) => endedAt?.getTime() ?? 0)) / 1000;
  const row = await executionOf(world, next.executionId);
  expect(row?.outcome).toBe('COMPLETED');
  expect(row?.startedAt).toBeGreaterThanOrEqual(last);
  expect(await executionOf(world, never.executionId)).toMatchObject({ outcome: 'CANCELLED', attempts: 0 });
  expect(await executionOf(world, anyway.executionId)).toMatchObject({ outcome: 'COMPLETED' });
});

test('a wish to cancel a whole group is carried out, in pieces, wherever its tasks are', async () => {
  world = await createIdleWorld(96, 'east');
  const id = await submit({ tasks: 40 });
  await world.until('some run', async () => (await tasksOf(id)).some(({ state }) => state === 'RUNNING'));
  const wish = { conditions: { groupId: id }, expectedCount: 40, idempotencyKey: null };
  expect(await cancelJobs(world.commands, world.principal, wish)).toMatchObject({ matched: 40 });
  await world.until('it is over', isOver(id));
  const tasks = await tasksOf(id);
  expect(tasks.every(({ outcome }) => outcome === 'CANCELLED')).toBe(true);
  expect(tasks.some(({ attempts }) => attempts === 0)).toBe(true);
  expect(tasks.some(({ attempts }) => attempts === 1)).toBe(true);
  expect((await world.site('east').snapshot()).running.filter(({ key }) => key !== null)).toEqual([]);
});
