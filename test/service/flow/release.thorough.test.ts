import { afterEach, describe, expect, test } from 'vitest';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { NativeRef, SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { LEAD_SECONDS } from './down-world.ts';
import { askForEarly, charged, createIdleWorld, expectReleased, heldProcessorSeconds } from './early-promise.ts';
import { attemptsOf, executionOf, isSettled, promiseOf } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

/** A worker whose cancellations go as `cancel` lets them. */
function workerWith(cancel: (adapter: SiteAdapter, job: NativeRef) => Promise<void>): FlowContext {
  return world.worker({ adapter: (adapter) => ({ ...adapter, cancel: (job) => cancel(adapter, job) }) });
}

describe('a promise that holds its processors far too early', { timeout: 240_000 }, () => {
  test('gives them back, and is kept by a later job', async () => {
    world = await createIdleWorld(1);
    const id = await askForEarly(world, 'early');
    await world.until('its job holds', async () => (await promiseOf(world, id))?.state === 'HOLDING');
    await world.until('it is held again', async () => (await executionOf(world, id))?.state === 'HELD');
    expect(await promiseOf(world, id)).toMatchObject({ state: 'PROMISED' });
    expect((await executionOf(world, id))?.reason).toBe('it gave back the processors that it held too early at east');
    await world.until('it is settled', isSettled(world, id));
    await expectReleased(world, id);
  });

  test('holds on when the site does not take the cancellation, and is kept by the first job', async () => {
    world = await createIdleWorld(2);
    const id = await askForEarly(world, 'stuck');
    let asked = 0;
    const worker = workerWith(async () => {
      asked++;
      throw new Unavailable('Unable to contact the controller');
    });
    await world.until('it is settled', isSettled(world, id), worker);
    expect(asked).toBeGreaterThan(1);
    expect(await attemptsOf(world, id)).toEqual(['RELEASING']);
    expect((await promiseOf(world, id))?.state).toBe('KEPT');
    expect(await charged(world, id)).toBe(heldProcessorSeconds(world, id));
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });

  test('is held again although the reply to its cancellation was lost', async () => {
    world = await createIdleWorld(3);
    const id = await askForEarly(world, 'unheard');
    const worker = workerWith(async (adapter, job) => {
      await adapter.cancel(job);
      throw new Unknown('timed out');
    });
    await world.until('it is settled', isSettled(world, id), worker);
    await expectReleased(world, id);
  });

  test('is cancelled for good when its caller wants that meanwhile', async () => {
    world = await createIdleWorld(4);
    const id = await askForEarly(world, 'unwanted');
    const { commands, principal } = world;
    let isUnwanted = false;
    const worker = workerWith(async (adapter, job) => {
      if (!isUnwanted) {
        isUnwanted = true;
        await cancelReservation(commands, principal, {
          id: (await promiseOf(world, id))?.id ?? '',
          idempotencyKey: null,
        });
      }
      return adapter.cancel(job);
    });
    await world.until('it is settled', isSettled(world, id), worker);
    expect(await executionOf(world, id)).toMatchObject({ outcome: 'CANCELLED', attempts: 1 });
    expect((await promiseOf(world, id))?.state).toBe('CANCELLED');
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });

  test('never pays more padding than its caller allows, those it gave back included', async () => {
    world = await createIdleWorld(5);
    const most = 4 * LEAD_SECONDS;
    const id = await askForEarly(world, 'capped', { maxPaddingProcessorSeconds: most });
    await world.until('it is settled', isSettled(world, id));
    const padding = await world.database.db.charge.findFirst({ where: { executionId: id, kind: 'PADDING' } });
    expect(padding?.processorSeconds).toBeLessThanOrEqual(most);
    expect(padding?.processorSeconds).toBeGreaterThanOrEqual(
      (await promiseOf(world, id))?.releasedProcessorSeconds ?? 0,
    );
    expect((await promiseOf(world, id))?.state).toBe('KEPT');
  });

  test.each([
    'CANCEL',
    'RUN_LATE',
  ] as const)('is missed when its site takes no other job in time, and with %s does what its caller wants then', async (ifMissed) => {
    world = await createIdleWorld(8);
    const id = await askForEarly(world, 'closed', { ifMissed });
    const startAt = (await promiseOf(world, id))?.startAt ?? 0;
    const worker = world.worker({
      adapter: (adapter) => ({
        ...adapter,
        async submit(spec, key) {
          const isClosed = (await attemptsOf(world, id)).includes('RELEASED') && world.clock.now() < startAt + 600;
          if (isClosed) throw new Unavailable('Unable to contact the controller');
          return adapter.submit(spec, key);
        },
      }),
    });
    await world.until('it is settled', isSettled(world, id), worker);
    expect((await promiseOf(world, id))?.state).toBe('MISSED');
    const outcome = ifMissed === 'CANCEL' ? 'REJECTED' : 'COMPLETED';
    expect(await executionOf(world, id)).toMatchObject({ outcome });
    expect(await charged(world, id)).toBe(heldProcessorSeconds(world, id));
    expect(await judge(world)).toMatchObject(CLEAN);
  });

  test('is not submitted again when it was ended after its window had opened, for its work may have begun', async () => {
    world = await createIdleWorld(9);
    const id = await askForEarly(world, 'opened', { windowSeconds: 7200, probability: 0.4 });
    const opensAt = (await promiseOf(world, id))?.windowOpensAt ?? 0;
    let late: NativeRef | null = null;
    const worker = workerWith(async (_adapter, job) => {
      late = job;
      throw new Unknown('timed out');
    });
    await world.until('its window has opened', async () => world.clock.now() > opensAt + 60, worker);
    const job = late as NativeRef | null;
    if (!job) throw new Error('it was never to be released');
    world.site('east').cancel(job.nativeId, job.submittedAt);
    await world.until('it is settled', isSettled(world, id), worker);
    expect(await executionOf(world, id)).toMatchObject({ outcome: 'CANCELLED', attempts: 1 });
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });

  test('holds on as a leg, on which others rely', async () => {
    world = await createIdleWorld(6);
    const id = await askForEarly(world, 'leg');
    await world.database.db.reservation.updateMany({ data: { holdPriceSeconds: null } });
    await world.until('it is settled', isSettled(world, id));
    expect(await attemptsOf(world, id)).toEqual(['ACCEPTED']);
    expect((await promiseOf(world, id))?.state).toBe('KEPT');
  });
});
