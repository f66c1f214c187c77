import { afterEach, describe, expect, test } from 'vitest';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { NativeRef, SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findReservationOf } from '../../../src/store/reservations.ts';
import { listSubmissions } from '../../../src/store/submissions.ts';
import { thorough } from '../../thorough.ts';
import { jobsOf, LEAD_SECONDS, submitEarly } from './down-world.ts';
import { Crash, withCrashes } from './faults.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

const LEAN_DEATHS = 5;

let world: SteppedWorld;
afterEach(() => world.close());

/** A machine with next to nothing to do: whoever comes starts at once, and would an hour later. */
function createIdleWorld(seed: number): Promise<SteppedWorld> {
  const workload = { generated: { seed: 100 * seed, load: 0.02 } };
  return createSteppedWorld({
    seed,
    accountingLagSeconds: 120,
    settings: { observeIntervalSeconds: 300 },
    sites: [{ name: 'east', processors: 64, policy: 'easy', workload, warmDays: 40 }],
  });
}

interface Wish {
  readonly maxPaddingProcessorSeconds: number | null;
  readonly ifMissed: 'CANCEL' | 'RUN_LATE';
  /** Mode WINDOW, with the opening so long before the time that is promised; mode HOLD with 0. */
  readonly windowSeconds: number;
  readonly probability: number;
}

/** A promise that is handed in hours before its plan says, as it would be when the site had seemed busy. */
async function askForEarly(
  name: string,
  { maxPaddingProcessorSeconds = null, ifMissed = 'CANCEL', windowSeconds = 0, probability = 0.6 }: Partial<Wish> = {},
): Promise<string> {
  const { commands, principal, clock, database } = world;
  const startAt = Math.round(clock.now() + LEAD_SECONDS);
  const mode = windowSeconds > 0 ? 'WINDOW' : 'HOLD';
  const windowOpensAt = windowSeconds > 0 ? startAt - windowSeconds : null;
  const terms = { startAt, windowOpensAt, mode, probability, ifMissed } as const;
  const work = { script: '#!/bin/sh\nsleep 900\n', arguments: [], processors: 4, walltimeSeconds: 1800, queue: null };
  const rest = { name, siteIds: [], maxPaddingProcessorSeconds, idempotencyKey: null };
  await reserve(commands, principal, { ...work, ...terms, ...rest });
  const { id } = await database.db.execution.findFirstOrThrow({ where: { name } });
  await submitEarly(world, id);
  return id;
}

const execution = (id: string) => findExecution(world.database.db, id);
const promise = (id: string) => findReservationOf(world.database.db, id);
const attempts = async (id: string) => (await listSubmissions(world.database.db, id)).map(({ state }) => state);
const isSettled = (id: string) => async () => (await execution(id))?.settledAt !== null;

async function charged(id: string): Promise<number> {
  const charges = await world.database.db.charge.findMany({ where: { executionId: id } });
  return charges.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
}

function heldProcessorSeconds(id: string): number {
  return jobsOf(world, 'east', id).reduce((sum, { startAt, endAt }) => sum + 4 * ((endAt ?? 0) - (startAt ?? 0)), 0);
}

/** A worker whose cancellations go as `cancel` lets them. */
function workerWith(cancel: (adapter: SiteAdapter, job: NativeRef) => Promise<void>): FlowContext {
  return world.worker({ adapter: (adapter) => ({ ...adapter, cancel: (job) => cancel(adapter, job) }) });
}

/** It gave its processors back, another job kept the promise, and everything that was held is charged. */
async function expectReleased(id: string): Promise<void> {
  expect(await execution(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  expect((await promise(id))?.state).toBe('KEPT');
  expect(await attempts(id)).toEqual(['RELEASED', 'ACCEPTED']);
  expect(jobsOf(world, 'east', id)).toMatchObject([{ outcome: 'CANCELLED' }, { outcome: 'COMPLETED' }]);
  const [released] = jobsOf(world, 'east', id);
  const heldSeconds = (released?.endAt ?? Number.NaN) - (released?.startAt ?? 0);
  expect((await promise(id))?.releasedProcessorSeconds).toBe(4 * heldSeconds);
  expect(await charged(id)).toBe(heldProcessorSeconds(id));
  expect(heldProcessorSeconds(id)).toBeLessThan(4 * (LEAD_SECONDS / 2));
  expect(await judge(world)).toMatchObject(CLEAN);
}

describe('a promise that holds its processors far too early', { timeout: 240_000 }, () => {
  test('gives them back, and is kept by a later job', async () => {
    world = await createIdleWorld(1);
    const id = await askForEarly('early');
    await world.until('its job holds', async () => (await promise(id))?.state === 'HOLDING');
    await world.until('it is held again', async () => (await execution(id))?.state === 'HELD');
    expect(await promise(id)).toMatchObject({ state: 'PROMISED' });
    expect((await execution(id))?.reason).toBe('it gave back the processors that it held too early at east');
    await world.until('it is settled', isSettled(id));
    await expectReleased(id);
  });

  test('holds on when the site does not take the cancellation, and is kept by the first job', async () => {
    world = await createIdleWorld(2);
    const id = await askForEarly('stuck');
    let asked = 0;
    const worker = workerWith(async () => {
      asked++;
      throw new Unavailable('Unable to contact the controller');
    });
    await world.until('it is settled', isSettled(id), worker);
    expect(asked).toBeGreaterThan(1);
    expect(await attempts(id)).toEqual(['RELEASING']);
    expect((await promise(id))?.state).toBe('KEPT');
    expect(await charged(id)).toBe(heldProcessorSeconds(id));
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });

  test('is held again although the reply to its cancellation was lost', async () => {
    world = await createIdleWorld(3);
    const id = await askForEarly('unheard');
    const worker = workerWith(async (adapter, job) => {
      await adapter.cancel(job);
      throw new Unknown('timed out');
    });
    await world.until('it is settled', isSettled(id), worker);
    await expectReleased(id);
  });

  test('is cancelled for good when its caller wants that meanwhile', async () => {
    world = await createIdleWorld(4);
    const id = await askForEarly('unwanted');
    const { commands, principal } = world;
    let isUnwanted = false;
    const worker = workerWith(async (adapter, job) => {
      if (!isUnwanted) {
        isUnwanted = true;
        await cancelReservation(commands, principal, { id: (await promise(id))?.id ?? '', idempotencyKey: null });
      }
      return adapter.cancel(job);
    });
    await world.until('it is settled', isSettled(id), worker);
    expect(await execution(id)).toMatchObject({ outcome: 'CANCELLED', attempts: 1 });
    expect((await promise(id))?.state).toBe('CANCELLED');
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });

  test('never pays more padding than its caller allows, those it gave back included', async () => {
    world = await createIdleWorld(5);
    const most = 4 * LEAD_SECONDS;
    const id = await askForEarly('capped', { maxPaddingProcessorSeconds: most });
    await world.until('it is settled', isSettled(id));
    const padding = await world.database.db.charge.findFirst({ where: { executionId: id, kind: 'PADDING' } });
    expect(padding?.processorSeconds).toBeLessThanOrEqual(most);
    expect(padding?.processorSeconds).toBeGreaterThanOrEqual((await promise(id))?.releasedProcessorSeconds ?? 0);
    expect((await promise(id))?.state).toBe('KEPT');
  });

  test.each([
    'CANCEL',
    'RUN_LATE',
  ] as const)('is missed when its site takes no other job in time, and with %s does what its caller wants then', async (ifMissed) => {
    world = await createIdleWorld(8);
    const id = await askForEarly('closed', { ifMissed });
    const startAt = (await promise(id))?.startAt ?? 0;
    const worker = world.worker({
      adapter: (adapter) => ({
        ...adapter,
        async submit(spec, key) {
          const isClosed = (await attempts(id)).includes('RELEASED') && world.clock.now() < startAt + 600;
          if (isClosed) throw new Unavailable('Unable to contact the controller');
          return adapter.submit(spec, key);
        },
      }),
    });
    await world.until('it is settled', isSettled(id), worker);
    expect((await promise(id))?.state).toBe('MISSED');
    const outcome = ifMissed === 'CANCEL' ? 'REJECTED' : 'COMPLETED';
    expect(await execution(id)).toMatchObject({ outcome });
    expect(await charged(id)).toBe(heldProcessorSeconds(id));
    expect(await judge(world)).toMatchObject(CLEAN);
  });

  test('is not submitted again when it was ended after its window had opened, for its work may have begun', async () => {
    world = await createIdleWorld(9);
    const id = await askForEarly('opened', { windowSeconds: 7200, probability: 0.4 });
    const opensAt = (await promise(id))?.windowOpensAt ?? 0;
    let late: NativeRef | null = null;
    const worker = workerWith(async (_adapter, job) => {
      late = job;
      throw new Unknown('timed out');
    });
    await world.until('its window has opened', async () => world.clock.now() > opensAt + 60, worker);
    const job = late as NativeRef | null;
    if (!job) throw new Error('it was never to be released');
    world.site('east').cancel(job.nativeId, job.submittedAt);
    await world.until('it is settled', isSettled(id), worker);
    expect(await execution(id)).toMatchObject({ outcome: 'CANCELLED', attempts: 1 });
    expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
  });

  test('holds on as a leg, on which others rely', async () => {
    world = await createIdleWorld(6);
    const id = await askForEarly('leg');
    await world.database.db.reservation.updateMany({ data: { holdPriceSeconds: null } });
    await world.until('it is settled', isSettled(id));
    expect(await attempts(id)).toEqual(['ACCEPTED']);
    expect((await promise(id))?.state).toBe('KEPT');
  });
});

test('a worker may die at any point of a release', { timeout: thorough ? 3_600_000 : 480_000 }, async () => {
  const visited = await releaseWithDeathAt(0);
  expect(visited).toEqual(expect.arrayContaining(['before the site cancels', 'after the site has cancelled']));
  const step = thorough ? 1 : Math.ceil(visited.length / LEAN_DEATHS);
  for (let death = 1; death <= visited.length; death += step) {
    await world.close();
    await releaseWithDeathAt(death);
  }
});

/**
 * One promise that is released, whose worker dies at the visit of that number; the points visited until it is held
 * again.
 */
async function releaseWithDeathAt(death: number): Promise<string[]> {
  world = await createIdleWorld(7);
  const id = await askForEarly('mortal');
  await world.until('its job holds', async () => (await promise(id))?.state === 'HOLDING');
  const visited: string[] = [];
  let isReleasing = true;
  const visit = (point: string) => {
    if (!isReleasing) return;
    visited.push(point);
    if (visited.length === death) throw new Crash(point);
  };
  const hire = () =>
    world.worker({
      database: (database) => withCrashes(database, async (point) => visit(point)),
      adapter: (adapter) => ({
        ...adapter,
        async cancel(job) {
          visit('before the site cancels');
          await adapter.cancel(job);
          visit('after the site has cancelled');
        },
      }),
    });
  let worker = hire();
  const bury = async (error: unknown) => {
    if (!(error instanceof Crash)) throw error;
    worker = hire();
    await world.expireLeases();
  };
  for (let steps = 0; !(await isSettled(id)()) && steps < 2000; steps++) {
    await world.step(() => worker, bury);
    isReleasing &&= (await execution(id))?.state !== 'HELD';
  }
  await expectReleased(id).catch((error: unknown) => {
    throw new Error(`death ${death}: ${visited[death - 1]}`, { cause: error });
  });
  return visited;
}
