import { afterEach, beforeEach, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { removeSite } from '../../../src/commands/remove-site.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { DependencyCondition } from '../../../src/domain/dependency.ts';
import { executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

let world: SteppedWorld;
beforeEach(async () => {
  world = await createIdleWorld(91, 'east', 'west');
});
afterEach(() => world.close());

type After = readonly (readonly [string, DependencyCondition])[];

async function submit(name: string, after: After, script = WORK.script, site?: string): Promise<string> {
  const siteIds = site === undefined ? [] : [world.siteIds.get(site) ?? ''];
  const dependencies = after.map(([predecessorId, condition]) => ({ predecessorId, condition }));
  const job = { ...WORK, name, script, siteIds, deadlineAt: null, after: dependencies };
  return (await submitJob(world.commands, world.principal, job)).executionId;
}

const settled = (id: string) => world.until(`${id} is settled`, isSettled(world, id));

test('a job waits, over sites, for the end of every one that it comes after, and says for which', async () => {
  const first = await submit('first', [], '#!/bin/sh\nexit 3\n', 'east');
  const second = await submit('second', [], WORK.script, 'west');
  const last = await submit(
    'last',
    [
      [first, 'ANY_END'],
      [second, 'SUCCESS'],
    ],
    WORK.script,
    'east',
  );
  await settled(first);
  await world.until('its successor has been told', async () => (await executionOf(world, last))?.wakeAt === null);
  expect(await executionOf(world, last)).toMatchObject({
    ...{ state: 'HELD', awaits: true, siteId: null, wakeAt: null, attempts: 0 },
    reason: 'it waits for the success of "second"',
  });
  await settled(last);
  const [before, row] = await Promise.all([executionOf(world, second), executionOf(world, last)]);
  expect(row).toMatchObject({ outcome: 'COMPLETED', awaits: false, readyAt: before?.endedAt, attempts: 1 });
  expect(row?.startedAt).toBeGreaterThanOrEqual(before?.endedAt ?? Number.NaN);
});

test('a job that comes after one that has ended already is planned at once', async () => {
  const first = await submit('first', []);
  await settled(first);
  const next = await submit('next', [[first, 'SUCCESS']]);
  await settled(next);
  expect(await executionOf(world, next)).toMatchObject({ outcome: 'COMPLETED', reason: null });
});

test('a failure ends all that comes after success, and is an end like any other for the rest', async () => {
  const first = await submit('first', [], '#!/bin/sh\nexit 3\n');
  const strict = await submit('strict', [[first, 'SUCCESS']]);
  const next = await submit('next', [[strict, 'SUCCESS']]);
  const anyway = await submit('anyway', [
    [first, 'ANY_END'],
    [next, 'ANY_END'],
  ]);
  await settled(anyway);
  const outcome = 'CANCELLED';
  expect(await executionOf(world, strict)).toMatchObject({
    ...{ state: 'ENDED', outcome, attempts: 0, reason: 'its predecessor "first" failed: its work failed' },
  });
  expect(await executionOf(world, next)).toMatchObject({
    ...{ outcome, reason: 'its predecessor "strict" failed: it was cancelled' },
  });
  expect(await executionOf(world, anyway)).toMatchObject({ outcome: 'COMPLETED' });
});

test('a cancelled job ends what comes after its success; a successor is cancelled like any other', async () => {
  const first = await submit('first', []);
  const next = await submit('next', [[first, 'SUCCESS']]);
  const other = await submit('other', [[first, 'ANY_END']]);
  await cancelJob(world.commands, world.principal, { id: other, idempotencyKey: null });
  await settled(other);
  expect(await executionOf(world, other)).toMatchObject({ outcome: 'CANCELLED', reason: 'cancelled by its caller' });
  expect(await executionOf(world, first)).not.toMatchObject({ state: 'ENDED' });
  await cancelJob(world.commands, world.principal, { id: first, idempotencyKey: null });
  await settled(next);
  expect(await executionOf(world, next)).toMatchObject({ outcome: 'CANCELLED', attempts: 0 });
});

test('nothing begins after a job whose site was removed with it', async () => {
  const first = await submit('first', [], WORK.script, 'east');
  const next = await submit('next', [[first, 'ANY_END']]);
  await world.until('it runs', async () => (await executionOf(world, first))?.state === 'RUNNING');
  const site = { siteId: world.siteIds.get('east') ?? '', endJobs: true, idempotencyKey: null };
  for (const force of [false, true]) await removeSite(world.commands, world.principal, { ...site, force });
  await settled(next);
  expect(await executionOf(world, first)).toMatchObject({ outcome: 'LOST', endedAt: null });
  expect(await executionOf(world, next)).toMatchObject({
    ...{ outcome: 'CANCELLED', reason: 'its predecessor "first" was lost: nobody knows whether it has ended' },
  });
});

test('a lost queue loses no successor: its row asks for its turn', async () => {
  const first = await submit('first', []);
  const next = await submit('next', [[first, 'ANY_END']]);
  await world.until('its predecessor has ended', async () => (await executionOf(world, first))?.state === 'ENDED');
  await world.database.db.outbox.deleteMany({});
  expect((await executionOf(world, next))?.wakeAt).not.toBeNull();
  await settled(next);
  expect(await executionOf(world, next)).toMatchObject({ outcome: 'COMPLETED' });
});
