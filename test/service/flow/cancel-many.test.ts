import { afterEach, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { cancelJobs } from '../../../src/commands/cancel-jobs.ts';
import { type SubmitArrayInput, submitArray } from '../../../src/commands/submit-array.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { advance } from '../../../src/flow/advance.ts';
import { cancelAll, findBulkCancel } from '../../../src/store/bulk-cancels.ts';
import type { NewDependency } from '../../../src/store/dependencies.ts';
import { findClaimant } from '../../../src/store/turns.ts';
import { Crash } from './faults.ts';
import { live, mortal } from './mortal-worker.ts';
import { executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const JOB = { ...WORK, siteIds: [], deadlineAt: null };

async function array(input: Partial<SubmitArrayInput> = {}): Promise<string> {
  return (await submitArray(world.commands, world.principal, { ...JOB, name: 'sweep', tasks: 30, ...input })).groupId;
}

async function after(predecessorId: string, condition: NewDependency['condition']): Promise<string> {
  const job = { ...JOB, name: condition, after: [{ predecessorId, condition }] };
  return (await submitJob(world.commands, world.principal, job)).executionId;
}

/** Wants all tasks of a group to be cancelled. */
async function unwant(groupId: string): Promise<string> {
  const wish = { conditions: { groupId }, expectedCount: null, idempotencyKey: null };
  return (await cancelJobs(world.commands, world.principal, wish)).bulkCancelId ?? '';
}

/** Gives a row the turn that it wants by now. */
const advanceOne = (kind: 'EXECUTION' | 'BULK_CANCEL', targetId: string) =>
  advance(world.worker(), { kind, targetId, wakeAt: world.clock.now(), requestId: null });
const carryOn = (wish: string) => advanceOne('BULK_CANCEL', wish);

const tasksOf = (groupId: string) =>
  world.database.db.execution.findMany({ where: { groupId }, orderBy: { taskIndex: 'asc' } });
const groupOf = (id: string) => world.database.db.jobGroup.findUniqueOrThrow({ where: { id } });
const isOver = (id: string) => async () => (await groupOf(id)).endedAt !== null;

test('what was never handed in ends with the wish itself, as it does by itself, and wakes nobody for it', async () => {
  world = await createIdleWorld(121, 'east');
  const { db } = world.database;
  const single = await submitJob(world.commands, world.principal, { ...JOB, name: 'single' });
  await cancelJob(world.commands, world.principal, { id: single.executionId, idempotencyKey: null });
  await world.until('it has ended', isSettled(world, single.executionId));
  const id = await array({ tasks: 700 });
  const [first] = await tasksOf(id);
  const next = await after(first?.id ?? '', 'ANY_END');
  const never = await after(first?.id ?? '', 'SUCCESS');
  for (const waiting of [next, never]) await advanceOne('EXECUTION', waiting);
  const wish = await unwant(id);
  await db.outbox.deleteMany();
  await carryOn(wish);
  const { executionId } = single;
  const alone = await db.execution.findUniqueOrThrow({ where: { id: executionId } });
  const { state, outcome, reason, cancelReason, wakeAt, leaseExpiresAt } = alone;
  for (const task of await tasksOf(id)) {
    expect(task).toMatchObject({ state, outcome, reason, cancelReason, wakeAt, leaseExpiresAt, attempts: 0 });
    expect(task.settledAt).toEqual(task.endedAt);
    expect(task.cancelRequestedAt).not.toBeNull();
  }
  const woken = (await db.outbox.findMany()).filter(({ kind }) => kind === 'EXECUTION');
  expect(woken.map(({ targetId }) => targetId).sort()).toEqual([next, never].sort());
  await world.until('it is over', isOver(id));
  await world.until('the next one runs', async () => (await executionOf(world, next))?.state === 'RUNNING');
  expect(await executionOf(world, never)).toMatchObject({ outcome: 'CANCELLED', attempts: 0 });
});

test('what a site may know of, or whose end books more than itself, ends in a turn of its own', async () => {
  world = await createIdleWorld(122, 'east');
  const { db, transaction } = world.database;
  const now = new Date(world.clock.now() * 1000);
  const own = [
    { attempts: 1 },
    { failedTries: 1 },
    { leaseExpiresAt: now },
    { soughtSince: now },
    { state: 'HELD' as const, heldBackSince: now },
    { staging: {} },
    { promisedFinishProbability: 0.9 },
    ...(['SUBMITTING', 'QUEUED', 'RUNNING'] as const).map((state) => ({ state })),
  ];
  const tasks = await tasksOf(await array({ tasks: own.length + 1 }));
  const ids = tasks.map(({ id }) => id);
  for (const [index, data] of own.entries()) await db.execution.update({ where: { id: ids[index] ?? '' }, data });
  const seconds = world.clock.now();
  expect(await transaction((tx) => cancelAll(tx, ids, seconds, seconds))).toBe(1);
  for (const id of ids.slice(0, -1)) {
    expect(await executionOf(world, id)).toMatchObject({ outcome: null, cancelRequestedAt: seconds });
  }
  expect(await executionOf(world, ids.at(-1) ?? '')).toMatchObject({ outcome: 'CANCELLED', settledAt: seconds });
  // Only what a site is to give up goes before others.
  const urgent = await Promise.all(ids.map((id) => findClaimant(db, 'EXECUTION', id)));
  expect(urgent.map((claimant) => claimant?.isUrgent)).toEqual(
    [...own.map(({ state }) => state && state !== 'HELD'), false].map(Boolean),
  );
});

test('the next piece waits while many of those before it are left, of this wish or another', async () => {
  world = await createIdleWorld(123, 'east');
  const { db } = world.database;
  const [one, other] = [await array({ tasks: 1200 }), await array({ tasks: 10 })];
  // Each wants a turn of its own.
  await db.execution.updateMany({ where: { groupId: { in: [one, other] } }, data: { failedTries: 1 } });
  const [wish, another] = [await unwant(one), await unwant(other)];
  const doneOf = async (id: string) => (await findBulkCancel(db, id))?.done;
  expect(await findClaimant(db, 'BULK_CANCEL', wish)).toMatchObject({ isUrgent: false });
  await carryOn(wish);
  expect(await doneOf(wish)).toBe(1000);
  for (const id of [wish, another]) await carryOn(id);
  world.clock.advanceTo(world.clock.now() + 1);
  for (const id of [wish, another]) await carryOn(id);
  expect([await doneOf(wish), await doneOf(another)]).toEqual([1000, 0]);
  // They have had their turns.
  await db.execution.updateMany({ where: { groupId: one }, data: { wakeAt: null } });
  world.clock.advanceTo(world.clock.now() + 1);
  for (const id of [another, wish]) await carryOn(id);
  expect([await doneOf(wish), await doneOf(another)]).toEqual([1200, 10]);
});

test('workers that die leave no job of a wish behind, and none at its site', async () => {
  world = await createIdleWorld(124, 'east', 'west');
  const ids = [await array({ tasks: 60, limit: 20 }), await array({ tasks: 20 })];
  await world.until('some run', async () => (await tasksOf(ids[0] ?? '')).some(({ state }) => state === 'RUNNING'));
  for (const id of ids) await unwant(id);
  let deaths = 0;
  const visit = () => {
    if (world.random.uniform() >= 0.1) return;
    deaths++;
    throw new Crash('it died');
  };
  await live(world, mortal(world, visit), async () =>
    (await Promise.all(ids.map((id) => isOver(id)()))).every(Boolean),
  );
  expect(deaths).toBeGreaterThan(0);
  const tasks = (await Promise.all(ids.map(tasksOf))).flat();
  expect(tasks.filter(({ outcome, settledAt }) => outcome !== 'CANCELLED' || settledAt === null)).toEqual([]);
  for (const name of ['east', 'west']) {
    const { running, waiting } = await world.site(name).snapshot();
    expect([...running, ...waiting].filter(({ key }) => key !== null)).toEqual([]);
  }
});
