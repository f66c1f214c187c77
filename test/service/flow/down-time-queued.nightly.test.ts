import { afterEach, describe, expect, test } from 'vitest';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { askForQueued, createDownWorld, jobsOf, whileDrained } from './down-world.ts';
import {
  askForLegs,
  expectMoved,
  expectStayed,
  expectWandered,
  hasWish,
  resume,
  workerWith,
} from './queued-promise.ts';
import { attemptsOf, executionOf, isSettled, promiseOf } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

describe('a promise whose job waits in the queue of a site that goes down', () => {
  test('stays while its cancellation is turned away, and moves when it comes through', async () => {
    world = await createDownWorld(3);
    const id = await askForQueued(world, 'turned-away');
    let turnedAway = 0;
    const worker = workerWith(world, (adapter) => ({
      async cancel(job) {
        expect(await attemptsOf(world, id)).toEqual(['WITHDRAWING']);
        if (turnedAway++ < 3) throw new Unavailable('Unable to contact the controller');
        return adapter.cancel(job);
      },
    }));
    await world.until('it was turned away twice', async () => turnedAway === 2, worker);
    expect(await attemptsOf(world, id)).toEqual(['ACCEPTED']);
    expect(await executionOf(world, id)).toMatchObject({ state: 'QUEUED' });
    await world.until('it is settled', isSettled(world, id), worker);
    await expectMoved(world, id);
  });

  test('stays when its job starts just before it would be cancelled', async () => {
    world = await createDownWorld(6);
    const beganAt = world.clock.now();
    const id = await askForQueued(world, 'started');
    await world.until('it is queued', async () => (await executionOf(world, id))?.state === 'QUEUED');
    let cancels = 0;
    const worker = workerWith(world, (adapter) => ({
      async inspect(jobs) {
        resume(world, beganAt);
        return adapter.inspect(jobs);
      },
      async cancel() {
        cancels++;
      },
    }));
    await world.until('it is settled', isSettled(world, id), worker);
    expect(cancels).toBe(0);
    await expectStayed(world, id);
  });

  test('is missed, and says why, when the cancellation hits the job after it has started', async () => {
    world = await createDownWorld(8);
    const beganAt = world.clock.now();
    const id = await askForQueued(world, 'hit');
    const worker = workerWith(world, (adapter) => ({
      async cancel(job) {
        resume(world, beganAt);
        world.site('east').snapshot();
        world.clock.advanceTo(world.clock.now() + 30);
        return adapter.cancel(job);
      },
    }));
    await world.until('it is settled', isSettled(world, id), worker);
    const reason = 'it started at east while it was being withdrawn, and was cancelled';
    expect(await executionOf(world, id)).toMatchObject({ outcome: 'CANCELLED', reason, attempts: 1 });
    expect((await promiseOf(world, id))?.state).toBe('MISSED');
    const [job] = jobsOf(world, 'east', id);
    const heldSeconds = (job?.endAt ?? 0) - (job?.startAt ?? 0);
    expect(heldSeconds).toBeGreaterThan(0);
    const charges = await world.database.db.charge.findMany({ where: { executionId: id } });
    expect(charges).toMatchObject([{ kind: 'PADDING', processorSeconds: 4 * heldSeconds }]);
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });

  test('is asked to cancel again when neither the wish nor an answer got through', async () => {
    world = await createDownWorld(5);
    const id = await askForQueued(world, 'lost-wish');
    let calls = 0;
    const worker = workerWith(world, (adapter) => ({
      async cancel(job) {
        if (calls++ < 2) throw new Unknown('no answer in time');
        return adapter.cancel(job);
      },
    }));
    await world.until('it is settled', isSettled(world, id), worker);
    expect(calls).toBe(3);
    await expectMoved(world, id);
  });

  test('stays when its job starts and the cancellation never got there', async () => {
    world = await createDownWorld(7);
    const beganAt = world.clock.now();
    const id = await askForQueued(world, 'overtaken');
    const worker = workerWith(world, () => ({
      async cancel() {
        expect(await attemptsOf(world, id)).toEqual(['WITHDRAWING']);
        resume(world, beganAt);
        throw new Unknown('no answer in time');
      },
    }));
    await world.until('it runs', async () => (await executionOf(world, id))?.state === 'RUNNING', worker);
    expect((await executionOf(world, id))?.reason).toBe('it started at east before it could be withdrawn');
    await world.until('it is settled', isSettled(world, id), worker);
    await expectStayed(world, id);
  });

  test('stays where no other site promises as much', async () => {
    world = await createDownWorld(9, []);
    const id = await askForQueued(world, 'nowhere');
    let cancels = 0;
    const worker = workerWith(world, () => ({
      async cancel() {
        cancels++;
      },
    }));
    await world.until('it is settled', isSettled(world, id), worker);
    expect(cancels).toBe(0);
    await expectStayed(world, id);
  });

  test('goes where most is promised when nobody promises as much any more once its job is gone', async () => {
    world = await createDownWorld(15);
    const id = await askForQueued(world, 'second-best');
    await world.until('the wish is on record', hasWish(world, id));
    const { id: reservationId = '' } = (await promiseOf(world, id)) ?? {};
    await world.database.db.reservation.update({ where: { id: reservationId }, data: { probability: 0.999 } });
    await world.until('it has moved', async () => (await executionOf(world, id))?.siteId === world.siteIds.get('west'));
    const moved = await promiseOf(world, id);
    expect(moved?.currentProbability).toBeGreaterThan(0.5);
    expect(moved?.currentProbability).toBeLessThan(0.999);
    await world.until('it is settled', isSettled(world, id));
    await expectMoved(world, id);
  });

  test('goes back where it was when no other site takes it any more once its job is gone', async () => {
    world = await createDownWorld(14);
    const id = await askForQueued(world, 'back');
    await world.until('the wish is on record', hasWish(world, id));
    await whileDrained(world, ['west'], () =>
      world.until('it is queued again', async () => (await attemptsOf(world, id)).length === 2),
    );
    await world.until('it is settled', isSettled(world, id));
    expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', siteId: world.siteIds.get('east') });
    expect((await promiseOf(world, id))?.state).toBe('KEPT');
    const [withdrawn, ...others] = jobsOf(world, 'east', id);
    expect(withdrawn).toMatchObject({ startAt: null, outcome: 'CANCELLED' });
    expect(others.filter(({ startAt }) => startAt !== null)).toMatchObject([{ outcome: 'COMPLETED' }]);
    const { lost, leftovers, undecided } = await judge(world);
    expect({ lost, leftovers, undecided }).toEqual({ lost: [], leftovers: [], undecided: [] });
  });

  test('ends cancelled when its caller gives it up while it is being withdrawn', async () => {
    world = await createDownWorld(10);
    const id = await askForQueued(world, 'given-up');
    await world.until('the wish is on record', hasWish(world, id));
    const { id: reservationId = '' } = (await promiseOf(world, id)) ?? {};
    await cancelReservation(world.commands, world.principal, { id: reservationId, idempotencyKey: null });
    await world.until('it is settled', isSettled(world, id));
    expect(await executionOf(world, id)).toMatchObject({ outcome: 'CANCELLED', attempts: 1 });
    expect((await promiseOf(world, id))?.state).toBe('CANCELLED');
    expect(await attemptsOf(world, id)).toEqual(['WITHDRAWN']);
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });
});

describe('a leg in the queue of a site that goes down', () => {
  test('goes to none that another leg has moved to in the same moment', async () => {
    world = await createDownWorld(11, ['west', 'north']);
    const { database, siteIds } = world;
    const id = await askForLegs(world);
    const worker = world.worker();
    const raced: FlowContext = {
      ...worker,
      forecaster: {
        ...worker.forecaster,
        async offerReservation(siteId, question) {
          if (siteId === siteIds.get('west') && (await executionOf(world, id))?.state === 'HELD') {
            await database.db.execution.updateMany({ where: { name: 'settler' }, data: { siteId } });
          }
          return worker.forecaster.offerReservation(siteId, question);
        },
      },
    };
    await world.until('it is settled', isSettled(world, id), raced);
    await expectWandered(world, id, 'north');
  });
});
