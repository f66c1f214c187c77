import { afterEach, expect, test, vi } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { recomputeHeld } from '../../../src/flow/recompute.ts';
import { isLookFresh } from '../../../src/plan/reservation/life.ts';
import { type ChangeEvent, listenForChanges } from '../../../src/store/events.ts';
import { requestCancel } from '../../../src/store/executions.ts';
import { wakeExecutionsBeforeStart } from '../../../src/store/outbox.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import { claimDueTurn, claimTurn } from '../../../src/store/turns.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, wish } from './usual-work.ts';

const LEASE = { milliseconds: 60_000, holder: null };

let world: SteppedWorld;
afterEach(() => world.close());

/** Whether it waits for the moment of its submission and has nothing to do before. */
const isWaiting = (id: string) => async () => {
  const { submitAt, wakeAt } = await world.database.db.execution.findUniqueOrThrow({ where: { id } });
  return submitAt !== null && submitAt.getTime() === wakeAt?.getTime();
};

/**
 * A worker in which something happens while promises are looked at again, and that finds they should go a minute
 * later.
 */
function workerWhile(happens: () => Promise<void>): FlowContext {
  const worker = world.worker();
  const replanReservations: FlowContext['forecaster']['replanReservations'] = async (siteId, held) => {
    const answers = await worker.forecaster.replanReservations(siteId, held);
    await happens();
    return answers.map(({ point, trajectory }) => {
      return { trajectory, point: point && { ...point, submitAt: point.submitAt + 60 } };
    });
  };
  return { ...worker, forecaster: { ...worker.forecaster, replanReservations } };
}

/** A worker that cannot ask about one site. */
function workerWithout(away: string): FlowContext {
  const worker = world.worker();
  const replanReservations: FlowContext['forecaster']['replanReservations'] = async (siteId, held) => {
    if (siteId === away) throw new Unavailable('its thread is gone');
    return worker.forecaster.replanReservations(siteId, held);
  };
  return { ...worker, forecaster: { ...worker.forecaster, replanReservations } };
}

test('a site that cannot be asked holds back no other, and its promises count as not looked at', async () => {
  world = await createIdleWorld(61, 'east', 'west');
  const { clock, commands, principal } = world;
  const { db } = world.database;
  const ids = [];
  for (const name of ['east', 'west']) {
    const { reservationId } = await reserve(commands, principal, wish(clock, name, [world.siteIds.get(name) ?? '']));
    const id = (await findReservation(db, reservationId))?.executionId ?? '';
    await world.until('it waits', isWaiting(id));
    ids.push(id);
  }
  const { recomputeIntervalSeconds } = world.settings;
  clock.advanceTo(clock.now() + recomputeIntervalSeconds + 1);

  for (const away of ['east', 'west']) {
    const worker = workerWithout(world.siteIds.get(away) ?? '');
    expect(await recomputeHeld(worker, 10)).toBe(1);
    const looks = await db.reservation.findMany({ where: { executionId: { in: ids } }, include: { execution: true } });
    clock.advanceTo(clock.now() + 1);
    const fresh = looks.filter((look) =>
      isLookFresh(look.recomputedAt.getTime() / 1000, clock.now(), recomputeIntervalSeconds),
    );
    expect(fresh.map(({ execution }) => execution.name)).toEqual([away === 'east' ? 'west' : 'east']);
    clock.advanceTo(clock.now() + recomputeIntervalSeconds + 1);
  }
});

test('a turn that somebody asks for while a promise is looked at again is not put off', async () => {
  world = await createIdleWorld(61, 'east');
  const { clock, commands, principal } = world;
  const { db } = world.database;
  const siteId = world.siteIds.get('east') ?? '';
  const { reservationId } = await reserve(commands, principal, wish(clock, 'woken', [siteId]));
  const id = (await findReservation(db, reservationId))?.executionId ?? '';
  await world.until('it waits', isWaiting(id));
  clock.advanceTo(clock.now() + world.settings.recomputeIntervalSeconds + 1);

  const wake = () => world.database.transaction((tx) => wakeExecutionsBeforeStart(tx, siteId, clock.now()));
  expect(await recomputeHeld(workerWhile(wake), 10)).toBe(1);
  expect(await claimDueTurn(db, 'Execution', id, LEASE, clock.now())).not.toBeNull();
});

test.each([
  ['has its turn', (id: string) => claimTurn(world.database.db, 'Execution', id, LEASE)],
  ['is to be cancelled', (id: string) => requestCancel(world.database.db, id, 'no more', world.clock.now())],
])('a promise that %s while it is looked at again stays as it is', async (_, happens) => {
  world = await createIdleWorld(61, 'east');
  const { clock, commands, principal } = world;
  const { db } = world.database;
  const { reservationId } = await reserve(commands, principal, wish(clock, 'taken', []));
  const id = (await findReservation(db, reservationId))?.executionId ?? '';
  await world.until('it waits', isWaiting(id));
  clock.advanceTo(clock.now() + world.settings.recomputeIntervalSeconds + 1);

  const seen = () => db.execution.findUniqueOrThrow({ where: { id }, include: { reservation: true } });
  let taken: unknown;
  const worker = workerWhile(async () => {
    await happens(id);
    taken = await seen();
  });
  const wakeUps = await db.outbox.count();
  expect(await recomputeHeld(worker, 10)).toBe(1);
  expect(await seen()).toEqual(taken);
  expect(await db.outbox.count()).toBe(wakeUps);
});

test('a promise that nobody else wants goes when it has been found it should', async () => {
  world = await createIdleWorld(61, 'east');
  const { clock, commands, principal } = world;
  const { db } = world.database;
  const { reservationId } = await reserve(commands, principal, wish(clock, 'put off', []));
  const id = (await findReservation(db, reservationId))?.executionId ?? '';
  const row = () => db.execution.findUniqueOrThrow({ where: { id } });
  await world.until('it waits', isWaiting(id));
  clock.advanceTo(clock.now() + world.settings.recomputeIntervalSeconds + 1);

  const before = await row();
  const paddingOf = { expectedPaddingProcessorSeconds: 1e9, worstPaddingProcessorSeconds: 1e9 };
  await db.reservation.update({ where: { id: reservationId }, data: paddingOf });
  const told: ChangeEvent[] = [];
  const listener = await listenForChanges(world.database.url, (event) => told.push(event), fail);
  await db.outbox.deleteMany();
  expect(
    await recomputeHeld(
      workerWhile(async () => undefined),
      10,
    ),
  ).toBe(1);
  const after = await row();
  expect(after.version).toBe(before.version + 1);
  expect(after.wakeAt).toEqual(after.submitAt);
  expect(after.submitAt).not.toEqual(before.submitAt);
  const { expectedPaddingProcessorSeconds: expected, worstPaddingProcessorSeconds: worst } =
    await db.reservation.findUniqueOrThrow({ where: { id: reservationId } });
  expect(worst).toBeLessThan(1e9);
  expect(expected).toBeLessThanOrEqual(worst);
  const wakeUp = { kind: 'EXECUTION', targetId: id, wakeAt: after.submitAt };
  expect(await db.outbox.findMany()).toEqual([expect.objectContaining(wakeUp)]);
  const change = { type: 'RESERVATION', id: reservationId, tenantId: principal.tenantId };
  await vi.waitFor(() => expect(told).toEqual([change]), 10_000);
  await listener.close();
});

function fail(error: Error): never {
  throw error;
}
