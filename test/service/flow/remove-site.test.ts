import { afterEach, expect, test } from 'vitest';
import { removeSite } from '../../../src/commands/remove-site.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import { createSite, findSite, findSiteByName, listSites } from '../../../src/store/sites.ts';
import { whileDrained } from './down-world.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const work = {
  script: '#!/bin/sh\nsleep 7200\n',
  arguments: [],
  processors: 4,
  walltimeSeconds: 9000,
  queue: null,
  idempotencyKey: null,
};

const createTwoSites = (seed: number) =>
  createSteppedWorld({
    seed,
    sites: ['east', 'west'].map((name, index) => {
      const workload = { generated: { seed: 100 * seed + index, load: 0.02 } };
      return { name, processors: 64, policy: 'easy' as const, workload, warmDays: 40 };
    }),
  });

const idOf = (name: string) => world.siteIds.get(name) ?? '';
const row = (name: string) => world.database.db.execution.findFirstOrThrow({ where: { name } });
const isIn = (name: string, state: string) => async () => (await row(name)).state === state;
const remove = (endJobs: boolean, force = false) =>
  removeSite(world.commands, world.principal, { siteId: idOf('east'), endJobs, force, idempotencyKey: null });

function submit(name: string, siteIds: readonly string[]) {
  return submitJob(world.commands, world.principal, { ...work, name, siteIds, deadlineAt: null });
}

function promise(name: string, siteIds: readonly string[]) {
  const startAt = Math.round(world.clock.now() + 6 * 3600);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.6, ifMissed: 'CANCEL' } as const;
  return reserve(world.commands, world.principal, {
    ...work,
    ...terms,
    name,
    siteIds,
    maxPaddingProcessorSeconds: null,
  });
}

test('a site goes when its jobs have ended: what waits for it goes elsewhere or is cancelled, and its past stays', async () => {
  world = await createTwoSites(7);
  const { database } = world;
  await submit('runs', [idOf('east')]);
  await world.until('it runs', isIn('runs', 'RUNNING'));
  const pinned = await promise('pinned', [idOf('east')]);
  const movable = await whileEastOnly(() => promise('movable', []));
  await submit('waits', []);
  const later = new Date((world.clock.now() + 9000) * 1000);
  await database.db.execution.updateMany({
    where: { name: 'waits' },
    data: { state: 'HELD', submitAt: later, wakeAt: later, siteId: idOf('east') },
  });
  const before = await database.db.site.findUnique({ where: { id: idOf('east') } });
  await expect(remove(false)).rejects.toMatchObject({
    code: 'SITE_IN_USE',
    field: 'input.endJobs',
    message: expect.stringMatching(/^one job of ours is at east; drain it/),
  });
  expect(await database.db.site.findUnique({ where: { id: idOf('east') } })).toEqual(before);

  await remove(true);
  expect((await findSiteByName(database.db, 'east'))?.state).toBe('REMOVING');
  await world.until('it is gone', async () => (await findSiteByName(database.db, 'east')) === null);
  expect(await row('runs')).toMatchObject({ outcome: 'CANCELLED', reason: 'east is removed', siteId: idOf('east') });
  expect(await row('pinned')).toMatchObject({ outcome: 'CANCELLED', reason: expect.stringContaining('being removed') });
  expect((await findReservation(database.db, pinned.reservationId))?.state).toBe('CANCELLED');
  expect(await row('movable')).toMatchObject({
    siteId: idOf('west'),
    reason: expect.stringContaining('moved to west'),
  });
  await world.until('the other is planned anew', async () => (await row('waits')).siteId === idOf('west'));

  expect((await listSites(database.db)).map(({ name }) => name)).toEqual(['west']);
  expect(await findSite(database.db, idOf('east'))).toMatchObject({ name: 'east', wakeAt: null });
  const records = await database.db.record.count({ where: { siteId: idOf('east') } });
  expect(records).toBeGreaterThan(0);
  const { id } = await createSite(database.db, { name: 'east', adapter: 'simulator', configuration: {}, now: 0 });
  expect(id).not.toBe(idOf('east'));
  await database.db.site.delete({ where: { id } });
  await world.until('everything is settled', async () => {
    return (await database.db.execution.count({ where: { settledAt: null } })) === 0;
  });
  expect((await findReservation(database.db, movable.reservationId))?.state).toBe('KEPT');
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('a site where nothing is of ours goes at once, and is looked at no more', async () => {
  world = await createTwoSites(8);
  await remove(false);
  const gone = await findSite(world.database.db, idOf('east'));
  expect(gone).toMatchObject({ state: 'REMOVING', removedAt: world.clock.now(), wakeAt: null });
  const looks = () => world.database.db.observation.count({ where: { siteId: idOf('east') } });
  const before = await looks();
  const until = world.clock.now() + 3600;
  await world.until('an hour has passed', async () => world.clock.now() >= until);
  expect(await looks()).toBe(before);
  await expect(remove(false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a site that is dead for good goes by force: its jobs are lost, and nothing is claimed of what became of them', async () => {
  world = await createTwoSites(9);
  const { database } = world;
  await submit('runs', [idOf('east')]);
  await world.until('it runs', isIn('runs', 'RUNNING'));
  const { startedAt } = await row('runs');
  await submit('in doubt', [idOf('east')]);
  const pinned = await promise('pinned', [idOf('east')]);
  const movable = await whileEastOnly(() => promise('movable', []));
  const worker = world.worker({ adapter: (plain, name) => (name === 'east' ? dead(plain) : plain) });
  await world.until('it may be there', isIn('in doubt', 'SUBMITTING'), worker);
  await expect(remove(false, true)).rejects.toMatchObject({
    code: 'SITE_IN_USE',
    field: 'input.force',
    message: expect.stringMatching(/^east is not being removed yet; remove it with endJobs: true first/),
  });
  await remove(true);
  const until = world.clock.now() + 3600;
  await world.until('an hour has passed', async () => world.clock.now() >= until, worker);
  expect((await findSiteByName(database.db, 'east'))?.state).toBe('REMOVING');
  expect(await row('runs')).toMatchObject({ state: 'RUNNING', outcome: null });

  await remove(false, true);
  expect(await findSiteByName(database.db, 'east')).toBeNull();
  await world.until('everything is settled', async () => (await openRows()) === 0, worker);
  const reason = 'east was removed by force: nobody could be asked what became of the job there';
  const lost = { state: 'ENDED', outcome: 'LOST', reason, endedAt: null, exitCode: null, nativeId: expect.anything() };
  expect(await row('runs')).toMatchObject({ ...lost, startedAt });
  expect(await row('in doubt')).toMatchObject({ ...lost, nativeId: null, startedAt: null });
  const charges = await database.db.charge.findMany({ where: { execution: { name: 'runs' } } });
  expect(charges).toMatchObject([{ kind: 'NEEDED', processorSeconds: 0 }]);
  const submissions = await database.db.submission.findMany({ where: { execution: { name: 'in doubt' } } });
  expect(submissions.at(-1)).toMatchObject({ state: 'INTENDED', nativeId: null });
  expect((await findReservation(database.db, pinned.reservationId))?.state).toBe('CANCELLED');
  expect((await findReservation(database.db, movable.reservationId))?.state).toBe('KEPT');
  const { wakeAt } = await database.db.site.findUniqueOrThrow({ where: { id: idOf('east') } });
  expect(wakeAt).toBeNull();
  await expect(remove(false, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

const openRows = () => world.database.db.execution.count({ where: { settledAt: null } });

/** A machine that is gone: nobody answers, and whether anything reached it is not known. */
function dead(plain: SiteAdapter): SiteAdapter {
  const silent = () => Promise.reject(new Unavailable('no route to host'));
  const unheard = () => Promise.reject(new Unknown('no route to host'));
  const reads = { facts: silent, snapshot: silent, find: silent, inspect: silent, history: silent };
  return { ...plain, ...reads, submit: unheard, cancel: unheard };
}

async function whileEastOnly<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await whileDrained(world, ['west'], async () => {
    answer = await work();
  });
  return answer as Answer;
}
