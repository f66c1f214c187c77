import { afterEach, describe, expect, test } from 'vitest';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { flatRule } from '../../../src/domain/co-allocation.ts';
import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { findReservationOf } from '../../../src/store/reservations.ts';
import { findSiteByName } from '../../../src/store/sites.ts';
import { listSubmissions } from '../../../src/store/submissions.ts';
import {
  askForQueued,
  createDownWorld,
  jobsOf,
  LEAD_SECONDS,
  RESUMES_AFTER,
  submitEarly,
  whileDrained,
} from './down-world.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

/** A worker that finds `east` as `wrap` makes it. */
function workerWith(wrap: (adapter: SiteAdapter) => Partial<SiteAdapter>): FlowContext {
  return world.worker({
    adapter: (adapter, name) => (name === 'east' ? { ...adapter, ...wrap(adapter) } : adapter),
  });
}

const execution = async (id: string) => findExecution(world.database.db, id);
const attempts = async (id: string) => (await listSubmissions(world.database.db, id)).map(({ state }) => state);
const isSuspended = async () => (await findSiteByName(world.database.db, 'east'))?.state === 'SUSPENDED';
const isSettled = (id: string) => async () => (await execution(id))?.settledAt !== null;
const hasWish = (id: string) => async () => (await attempts(id)).at(-1) === 'WITHDRAWING';

/** Brings the clock to the moment from which the site that was down starts jobs again. */
function resume(beganAt: number): void {
  world.clock.advanceTo(Math.max(world.clock.now(), beganAt + RESUMES_AFTER + 1));
}

/** The promise was kept at the other site, and exactly one job did any work. */
async function expectMoved(id: string): Promise<void> {
  const moved = await execution(id);
  expect(moved).toMatchObject({ outcome: 'COMPLETED', siteId: world.siteIds.get('west'), attempts: 2 });
  expect((await findReservationOf(world.database.db, id))?.state).toBe('KEPT');
  expect(await attempts(id)).toEqual(['WITHDRAWN', 'ACCEPTED']);
  expect(jobsOf(world, 'east', id)).toMatchObject([{ state: 'ENDED', startAt: null, outcome: 'CANCELLED' }]);
  const [withdrawn] = jobsOf(world, 'east', id);
  const [done, ...more] = jobsOf(world, 'west', id);
  expect(done).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED' });
  expect(more).toEqual([]);
  expect(done?.submittedAt).toBeGreaterThan(withdrawn?.endAt ?? Number.POSITIVE_INFINITY);
  const { nativeJobs: _, ...rest } = await judge(world);
  expect(rest).toEqual({ lost: [], duplicated: [], leftovers: [], undecided: [] });
}

/** The promise was kept where it was made, by the only job there ever was. */
async function expectStayed(id: string): Promise<void> {
  expect(await execution(id)).toMatchObject({ outcome: 'COMPLETED', siteId: world.siteIds.get('east'), attempts: 1 });
  expect((await findReservationOf(world.database.db, id))?.state).toBe('KEPT');
  expect(await attempts(id)).toEqual(['ACCEPTED']);
  expect(await judge(world)).toEqual({ lost: [], duplicated: [], leftovers: [], undecided: [], nativeJobs: 1 });
}

describe('a promise whose job waits in the queue of a site that goes down', () => {
  test('is moved when the site has given the job back, and costs nothing there', async () => {
    world = await createDownWorld(1);
    const id = await askForQueued(world, 'queued');
    await world.until('it is suspended', isSuspended);
    expect(await execution(id)).toMatchObject({ state: 'QUEUED', siteId: world.siteIds.get('east') });
    await world.until('the wish is on record', hasWish(id));
    expect(jobsOf(world, 'west', id)).toEqual([]);
    await world.until('it has moved', async () => (await execution(id))?.siteId === world.siteIds.get('west'));
    const reason = /moved to west: east is taken to be down and has given its job back/;
    expect((await execution(id))?.reason).toMatch(reason);
    await world.until('it is settled', isSettled(id));
    await expectMoved(id);
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
    const worker = workerWith((adapter) => ({
      snapshot: () => silent().then(() => adapter.snapshot()),
      inspect: (jobs) => silent().then(() => adapter.inspect(jobs)),
      cancel: (job) => silent().then(() => adapter.cancel(job)),
      find: (key, at) => silent().then(() => adapter.find(key, at)),
      history: (since) => silent().then(() => adapter.history(since)),
    }));
    await world.until('it is queued', async () => (await execution(id))?.state === 'QUEUED', worker);
    isAway = true;
    await world.until('it is suspended', isSuspended, worker);
    await world.until('the site works again', async () => world.clock.now() > beganAt + RESUMES_AFTER + 900, worker);
    expect(await execution(id)).toMatchObject({ state: 'QUEUED', siteId: world.siteIds.get('east') });
    expect(await attempts(id)).toEqual(['ACCEPTED']);
    isAway = false;
    await world.until('it is settled', isSettled(id), worker);
    await expectStayed(id);
  });

  test('stays while its cancellation is turned away, and moves when it comes through', async () => {
    world = await createDownWorld(3);
    const id = await askForQueued(world, 'turned-away');
    let turnedAway = 0;
    const worker = workerWith((adapter) => ({
      async cancel(job) {
        expect(await attempts(id)).toEqual(['WITHDRAWING']);
        if (turnedAway++ < 3) throw new Unavailable('Unable to contact the controller');
        return adapter.cancel(job);
      },
    }));
    await world.until('it was turned away twice', async () => turnedAway === 2, worker);
    expect(await attempts(id)).toEqual(['ACCEPTED']);
    expect(await execution(id)).toMatchObject({ state: 'QUEUED' });
    await world.until('it is settled', isSettled(id), worker);
    await expectMoved(id);
  });

  test('moves although the answer to its cancellation was lost', async () => {
    world = await createDownWorld(4);
    const id = await askForQueued(world, 'timed-out');
    const worker = workerWith((adapter) => ({
      async cancel(job) {
        await adapter.cancel(job);
        throw new Unknown('no answer in time');
      },
    }));
    await world.until('it is settled', isSettled(id), worker);
    await expectMoved(id);
  });

  test('is asked to cancel again when neither the wish nor an answer got through', async () => {
    world = await createDownWorld(5);
    const id = await askForQueued(world, 'lost-wish');
    let calls = 0;
    const worker = workerWith((adapter) => ({
      async cancel(job) {
        if (calls++ < 2) throw new Unknown('no answer in time');
        return adapter.cancel(job);
      },
    }));
    await world.until('it is settled', isSettled(id), worker);
    expect(calls).toBe(3);
    await expectMoved(id);
  });

  test('stays when its job starts just before it would be cancelled', async () => {
    world = await createDownWorld(6);
    const beganAt = world.clock.now();
    const id = await askForQueued(world, 'started');
    await world.until('it is queued', async () => (await execution(id))?.state === 'QUEUED');
    let cancels = 0;
    const worker = workerWith((adapter) => ({
      async inspect(jobs) {
        resume(beganAt);
        return adapter.inspect(jobs);
      },
      async cancel() {
        cancels++;
      },
    }));
    await world.until('it is settled', isSettled(id), worker);
    expect(cancels).toBe(0);
    await expectStayed(id);
  });

  test('stays when its job starts and the cancellation never got there', async () => {
    world = await createDownWorld(7);
    const beganAt = world.clock.now();
    const id = await askForQueued(world, 'overtaken');
    const worker = workerWith(() => ({
      async cancel() {
        expect(await attempts(id)).toEqual(['WITHDRAWING']);
        resume(beganAt);
        throw new Unknown('no answer in time');
      },
    }));
    await world.until('it runs', async () => (await execution(id))?.state === 'RUNNING', worker);
    expect((await execution(id))?.reason).toBe('it started at east before it could be withdrawn');
    await world.until('it is settled', isSettled(id), worker);
    await expectStayed(id);
  });

  test('is missed, and says why, when the cancellation hits the job after it has started', async () => {
    world = await createDownWorld(8);
    const beganAt = world.clock.now();
    const id = await askForQueued(world, 'hit');
    const worker = workerWith((adapter) => ({
      async cancel(job) {
        resume(beganAt);
        world.site('east').snapshot();
        world.clock.advanceTo(world.clock.now() + 30);
        return adapter.cancel(job);
      },
    }));
    await world.until('it is settled', isSettled(id), worker);
    const reason = 'it started at east while it was being withdrawn, and was cancelled';
    expect(await execution(id)).toMatchObject({ outcome: 'CANCELLED', reason, attempts: 1 });
    expect((await findReservationOf(world.database.db, id))?.state).toBe('MISSED');
    const [job] = jobsOf(world, 'east', id);
    const heldSeconds = (job?.endAt ?? 0) - (job?.startAt ?? 0);
    expect(heldSeconds).toBeGreaterThan(0);
    const charges = await world.database.db.charge.findMany({ where: { executionId: id } });
    expect(charges).toMatchObject([{ kind: 'PADDING', processorSeconds: 4 * heldSeconds }]);
    expect(await judge(world)).toEqual({ lost: [], duplicated: [], leftovers: [], undecided: [], nativeJobs: 1 });
  });

  test('stays where no other site promises as much', async () => {
    world = await createDownWorld(9, []);
    const id = await askForQueued(world, 'nowhere');
    let cancels = 0;
    const worker = workerWith(() => ({
      async cancel() {
        cancels++;
      },
    }));
    await world.until('it is settled', isSettled(id), worker);
    expect(cancels).toBe(0);
    await expectStayed(id);
  });

  test('goes where most is promised when nobody promises as much any more once its job is gone', async () => {
    world = await createDownWorld(13);
    const id = await askForQueued(world, 'second-best');
    await world.until('the wish is on record', hasWish(id));
    const { id: reservationId = '' } = (await findReservationOf(world.database.db, id)) ?? {};
    await world.database.db.reservation.update({ where: { id: reservationId }, data: { probability: 0.999 } });
    await world.until('it has moved', async () => (await execution(id))?.siteId === world.siteIds.get('west'));
    const moved = await findReservationOf(world.database.db, id);
    expect(moved?.currentProbability).toBeGreaterThan(0.5);
    expect(moved?.currentProbability).toBeLessThan(0.999);
    await world.until('it is settled', isSettled(id));
    await expectMoved(id);
  });

  test('goes back where it was when no other site takes it any more once its job is gone', async () => {
    world = await createDownWorld(14);
    const id = await askForQueued(world, 'back');
    await world.until('the wish is on record', hasWish(id));
    await whileDrained(world, ['west'], () =>
      world.until('it is queued again', async () => (await attempts(id)).length === 2),
    );
    await world.until('it is settled', isSettled(id));
    expect(await execution(id)).toMatchObject({ outcome: 'COMPLETED', siteId: world.siteIds.get('east') });
    expect((await findReservationOf(world.database.db, id))?.state).toBe('KEPT');
    const [withdrawn, ...others] = jobsOf(world, 'east', id);
    expect(withdrawn).toMatchObject({ startAt: null, outcome: 'CANCELLED' });
    expect(others.filter(({ startAt }) => startAt !== null)).toMatchObject([{ outcome: 'COMPLETED' }]);
    const { lost, leftovers, undecided } = await judge(world);
    expect({ lost, leftovers, undecided }).toEqual({ lost: [], leftovers: [], undecided: [] });
  });

  test('ends cancelled when its caller gives it up while it is being withdrawn', async () => {
    world = await createDownWorld(10);
    const id = await askForQueued(world, 'given-up');
    await world.until('the wish is on record', hasWish(id));
    const { id: reservationId = '' } = (await findReservationOf(world.database.db, id)) ?? {};
    await cancelReservation(world.commands, world.principal, { id: reservationId, idempotencyKey: null });
    await world.until('it is settled', isSettled(id));
    expect(await execution(id)).toMatchObject({ outcome: 'CANCELLED', attempts: 1 });
    expect((await findReservationOf(world.database.db, id))?.state).toBe('CANCELLED');
    expect(await attempts(id)).toEqual(['WITHDRAWN']);
    expect(await judge(world)).toEqual({ lost: [], duplicated: [], leftovers: [], undecided: [], nativeJobs: 1 });
  });
});

describe('a leg in the queue of a site that goes down', () => {
  /** Two legs that both must run: `wanderer` waits in the queue of `east`, `settler` for its submission to `north`. */
  async function askForLegs(): Promise<string> {
    const { commands, principal, siteIds, database } = world;
    const work = { script: '#!/bin/sh\nsleep 900\n', arguments: [], processors: 4, walltimeSeconds: 1800, queue: null };
    const legs = [
      { ...work, name: 'wanderer', legId: 'a', siteIds: [] },
      { ...work, name: 'settler', legId: 'b', siteIds: [siteIds.get('north') ?? ''] },
    ];
    const startAt = Math.round(world.clock.now() + LEAD_SECONDS);
    const terms = { startAt, probability: 0.5, rule: flatRule('ALL', null, ['a', 'b']), rulePath: 'input' } as const;
    await whileDrained(world, ['west'], () =>
      coAllocate(commands, principal, { ...terms, legs, ifLegMissed: 'CANCEL_ALL', idempotencyKey: null }),
    );
    const { id } = await database.db.execution.findFirstOrThrow({ where: { name: 'wanderer' } });
    expect((await execution(id))?.siteId).toBe(siteIds.get('east'));
    await submitEarly(world, id);
    return id;
  }

  async function expectWandered(id: string, to: string): Promise<void> {
    const { database, siteIds } = world;
    const isOver = async () => (await database.db.execution.count({ where: { settledAt: null } })) === 0;
    await world.until('all is over', isOver);
    expect(await execution(id)).toMatchObject({ outcome: 'COMPLETED', siteId: siteIds.get(to), attempts: 2 });
    expect(await database.db.coAllocation.findMany()).toMatchObject([{ state: 'SUCCEEDED' }]);
    const { nativeJobs: _, ...rest } = await judge(world);
    expect(rest).toEqual({ lost: [], duplicated: [], leftovers: [], undecided: [] });
    expect(jobsOf(world, 'east', id)).toMatchObject([{ startAt: null, outcome: 'CANCELLED' }]);
  }

  test('moves to a site where no other leg lives', async () => {
    world = await createDownWorld(11, ['west', 'north']);
    const id = await askForLegs();
    await world.until('it is settled', isSettled(id));
    await expectWandered(id, 'west');
  });

  test('goes to none that another leg has moved to in the same moment', async () => {
    world = await createDownWorld(11, ['west', 'north']);
    const { database, siteIds } = world;
    const id = await askForLegs();
    const worker = world.worker();
    const raced: FlowContext = {
      ...worker,
      forecaster: {
        ...worker.forecaster,
        async offerReservation(siteId, question) {
          if (siteId === siteIds.get('west') && (await execution(id))?.state === 'HELD') {
            await database.db.execution.updateMany({ where: { name: 'settler' }, data: { siteId } });
          }
          return worker.forecaster.offerReservation(siteId, question);
        },
      },
    };
    await world.until('it is settled', isSettled(id), raced);
    await expectWandered(id, 'north');
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
    await world.until('it is queued', async () => (await execution(id))?.state === 'QUEUED');
  });
  await world.until('it is suspended', isSuspended);
  await world.until('it is settled', isSettled(id));
  expect(await execution(id)).toMatchObject({ outcome: 'COMPLETED', siteId: world.siteIds.get('east'), attempts: 1 });
  expect(await judge(world)).toEqual({ lost: [], duplicated: [], leftovers: [], undecided: [], nativeJobs: 1 });
});
