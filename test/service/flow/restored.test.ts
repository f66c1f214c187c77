import { afterEach, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { seekAfterRestore, seekAllOpen } from '../../../src/store/restores.ts';
import { backUp } from './backup.ts';
import { attemptsOf, executionOf as findOf, promiseOf, isSettled as settled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK, wish } from './usual-work.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const submit = async (name: string, siteIds: string[] = []) => {
  const job = { ...WORK, name, siteIds, deadlineAt: null };
  return (await submitJob(world.commands, world.principal, job)).executionId;
};
const executionOf = async (id: string) => {
  const execution = await findOf(world, id);
  if (!execution) throw new Error(`no execution ${id}`);
  return execution;
};
const reaches = (id: string, state: string) => async () => (await executionOf(id)).state === state;
const isSettled = (id: string) => settled(world, id);
const seek = () => seekAllOpen(world.database.db, world.clock.now());

/** A worker that a site tells nothing of any key. */
function workerNotAnsweredBy(name: string): FlowContext {
  return world.worker({
    adapter: (adapter, site) => ({
      ...adapter,
      async find(key, since) {
        if (site === name) throw new Unavailable('away', 'away');
        return adapter.find(key, since);
      },
    }),
  });
}

test('a job that was handed in since the backup, and runs, is followed to its end and not handed in again', async () => {
  world = await createIdleWorld(11, 'east');
  const id = await submit('runs');
  const restore = await backUp(world.database);
  await world.until('it runs', reaches(id, 'RUNNING'));
  await restore();
  expect(await executionOf(id)).toMatchObject({ state: 'REQUESTED', attempts: 0 });
  expect(await seek()).toBe(1);
  await world.until('it is settled', isSettled(id));
  expect(await executionOf(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 1 });
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 1 });
});

test('one that has ended since is not run again, and one that was not handed in is handed in once', async () => {
  world = await createIdleWorld(12, 'east');
  const ended = await submit('ended');
  const restore = await backUp(world.database);
  await world.until('it is settled', isSettled(ended));
  await restore();
  await seek();
  const fresh = await submit('came after');
  await world.until('both are settled', async () => (await isSettled(ended)()) && (await isSettled(fresh)()));
  for (const id of [ended, fresh]) {
    expect(await executionOf(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 1 });
  }
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 2 });
});

test('one that was never handed in goes to its site once all sites were silent for long enough', async () => {
  world = await createIdleWorld(13, 'east', 'west');
  const id = await submit('waits');
  const restore = await backUp(world.database);
  await restore();
  await seek();
  await world.until('it is settled', isSettled(id));
  expect(await executionOf(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 1, soughtSince: null });
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 1 });
});

test('the newest of several attempts is taken over, though it is at another site than is planned now', async () => {
  world = await createIdleWorld(14, 'east', 'west');
  const id = await submit('moved');
  const restore = await backUp(world.database);
  const { database, siteIds } = world;
  const siteId = siteIds.get('west') as string;
  await database.db.execution.update({ where: { id }, data: { allowedSiteIds: [siteId] } });
  let refused = false;
  const refusesOnce = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      async submit(spec, key) {
        if (refused) return adapter.submit(spec, key);
        refused = true;
        throw new Unavailable('away', 'away');
      },
    }),
  });
  await world.until('it runs', reaches(id, 'RUNNING'), refusesOnce);
  expect(await attemptsOf(world, id)).toEqual(['ABSENT', 'ACCEPTED']);
  await restore();
  await seek();
  await world.until('it is settled', isSettled(id));
  expect(await executionOf(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2, siteId });
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 1 });
});

test('while a site does not answer nothing is handed in, and the reason names it', async () => {
  world = await createIdleWorld(15, 'east', 'west');
  const id = await submit('patient');
  const restore = await backUp(world.database);
  await world.until('it runs', reaches(id, 'RUNNING'));
  const { siteId } = await executionOf(id);
  const name = [...world.siteIds].find(([, known]) => known === siteId)?.[0] as string;
  await restore();
  await seek();
  const deaf = workerNotAnsweredBy(name);
  const asked = async () => (await executionOf(id)).reason?.includes(`${name} does not tell yet`) ?? false;
  await world.until('it says what it waits for', asked, deaf);
  for (let steps = 0; steps < 10; steps++) await world.step(() => deaf);
  expect(await executionOf(id)).toMatchObject({ state: 'REQUESTED', attempts: 0 });
  await world.until('it is settled', isSettled(id));
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 1 });
});

test('a job that is cancelled after the restore is cancelled at the site that has it', async () => {
  world = await createIdleWorld(16, 'east');
  const id = await submit('unwanted');
  const restore = await backUp(world.database);
  await world.until('it runs', reaches(id, 'RUNNING'));
  await restore();
  await seek();
  await cancelJob(world.commands, world.principal, { id, idempotencyKey: null });
  await world.until('it is settled', isSettled(id));
  expect(await executionOf(id)).toMatchObject({ outcome: 'CANCELLED', attempts: 1 });
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 1 });
});

test('a promise that was handed in since the backup is kept by the job that is there', async () => {
  world = await createIdleWorld(17, 'east');
  await reserve(world.commands, world.principal, wish(world.clock, 'promised', []));
  const { id } = await world.database.db.execution.findFirstOrThrow({ where: { name: 'promised' } });
  const restore = await backUp(world.database);
  await world.until('it is in the queue or runs', async () => (await executionOf(id)).nativeId !== null);
  await restore();
  expect(await executionOf(id)).toMatchObject({ state: 'HELD', attempts: 0 });
  await seek();
  await world.until('it is settled', isSettled(id));
  expect((await promiseOf(world, id))?.state).toBe('KEPT');
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 1 });
});

test('that the database is of another server or timeline is seen by itself, once', async () => {
  world = await createIdleWorld(18, 'east');
  const id = await submit('open');
  const { database, clock } = world;
  expect(await seekAfterRestore(database, clock.now())).toBeNull();
  expect(await seekAfterRestore(database, clock.now())).toBeNull();
  await database.db.lineage.update({ where: { id: 1 }, data: { name: 'of another server' } });
  expect(await seekAfterRestore(database, clock.now())).toBe(1);
  expect(await seekAfterRestore(database, clock.now())).toBeNull();
  expect((await executionOf(id)).soughtSince).not.toBeNull();
});

/** A promise at the only site, and what its site is handed when a worker is not asked. */
async function promised(name: string) {
  await reserve(world.commands, world.principal, wish(world.clock, name, []));
  const { id } = await world.database.db.execution.findFirstOrThrow({ where: { name } });
  const { script, processors, walltimeSeconds } = WORK;
  const spec = { name, script, arguments: [], processors, walltimeSeconds: 8 * walltimeSeconds, queue: null };
  return { id, hand: (attempt: number) => world.site('east').submit(spec, submissionKey(id, attempt)) };
}

test('an attempt that was given back since the backup is none that was cancelled: another one follows', async () => {
  world = await createIdleWorld(20, 'east');
  const { id, hand } = await promised('given back');
  const restore = await backUp(world.database);
  const { nativeId, submittedAt } = hand(1);
  world.site('east').cancel(nativeId, submittedAt);
  await restore();
  await seek();
  await world.until('it is settled', isSettled(id));
  expect(await executionOf(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  expect((await promiseOf(world, id))?.state).toBe('KEPT');
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('one that waits by the backup, and has gone for a later one, is followed by that', async () => {
  world = await createIdleWorld(21, 'east');
  const { id, hand } = await promised('went on');
  await world.until('it was handed in', async () => (await executionOf(id)).nativeId !== null);
  const restore = await backUp(world.database);
  const { nativeId, nativeSubmittedAt } = await executionOf(id);
  world.site('east').cancel(nativeId as string, nativeSubmittedAt as number);
  hand(2);
  await restore();
  await seek();
  await world.until('it is settled', isSettled(id));
  expect(await executionOf(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 2 });
});

test('a site that never answers is waited for as long as a job waits for a site', async () => {
  world = await createIdleWorld(22, 'east', 'west');
  const id = await submit('went on without');
  const givenUpAt = world.clock.now() + 1000;
  await seekAllOpen(world.database.db, givenUpAt - world.settings.patienceSeconds);
  const deaf = workerNotAnsweredBy('west');
  await world.until('it is settled', isSettled(id), deaf);
  const { outcome, nativeSubmittedAt } = await executionOf(id);
  expect(outcome).toBe('COMPLETED');
  expect(nativeSubmittedAt).toBeGreaterThanOrEqual(givenUpAt);
});
