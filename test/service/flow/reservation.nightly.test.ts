import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelCoAllocation } from '../../../src/commands/cancel-co-allocation.ts';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { PromiseRefused } from '../../../src/commands/offers/promise-refused.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { flatRule } from '../../../src/domain/co-allocation.ts';
import { findCoAllocation } from '../../../src/store/co-allocations.ts';
import { findLegs, findReservation, type ReservationRow } from '../../../src/store/reservations.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({
    scale: 600,
    handoverSeconds: 3600,
    settings: { observeIntervalSeconds: 120, overdueSeconds: 900 },
    sites: [
      { name: 'north', processors: 128, policy: 'easy', workload: { generated: { seed: 3, load: 0.4 } }, warmDays: 20 },
      { name: 'south', processors: 256, policy: 'easy', workload: { generated: { seed: 4, load: 0.4 } }, warmDays: 20 },
    ],
  });
  await world.startWorker();
  await world.until('both sites were observed', async () => {
    const sites = await Promise.all(['north', 'south'].map((name) => world.site(name)));
    return sites.every(({ observedAt, historySince }) => observedAt !== null && historySince !== null);
  });
});
afterAll(() => world.close());

function wish(leadSeconds: number) {
  return {
    name: 'ensemble',
    script: '#!/bin/sh\nsleep 900\n',
    arguments: [],
    processors: 8,
    walltimeSeconds: 1800,
    queue: null,
    siteIds: [],
    startAt: Math.round(world.clock.now() + leadSeconds),
    windowOpensAt: null,
    mode: 'HOLD',
    probability: 0.8,
    ifMissed: 'CANCEL',
    maxPaddingProcessorSeconds: null,
    idempotencyKey: null,
  } as const;
}

async function reservation(id: string): Promise<ReservationRow> {
  const found = await findReservation(world.stores.database.db, id);
  if (!found) throw new Error(`no reservation ${id}`);
  return found;
}

describe('a reservation', () => {
  test('that nobody can promise is refused with the best offer, and nothing is written', async () => {
    const before = await world.stores.database.db.execution.count();
    const impossible = { ...wish(60), probability: 0.995, processors: 128, walltimeSeconds: 86_400 };
    const refused = await reserve(world.commands, world.principal, impossible).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PromiseRefused);
    expect((refused as PromiseRefused).message).toMatch(/no site promises probability 0\.995/);
    expect(await world.stores.database.db.execution.count()).toBe(before);
  });

  test('that is cancelled before its submission never reaches a site', async () => {
    const native = world.nativeJobs('north').length + world.nativeJobs('south').length;
    const { reservationId } = await reserve(world.commands, world.principal, { ...wish(12 * 3600), probability: 0.3 });
    await cancelReservation(world.commands, world.principal, { id: reservationId, idempotencyKey: null });
    const { executionId } = await reservation(reservationId);
    await world.until('it is settled', async () => (await world.execution(executionId)).settledAt !== null);
    expect((await reservation(reservationId)).state).toBe('CANCELLED');
    expect(await world.execution(executionId)).toMatchObject({ outcome: 'CANCELLED', nativeId: null, attempts: 0 });
    expect(world.nativeJobs('north').length + world.nativeJobs('south').length).toBe(native);
  });
});

// Side by side, for they mostly wait.
describe.concurrent('a co-allocation', () => {
  const leg = {
    name: 'leg',
    script: '#!/bin/sh\nsleep 900\n',
    arguments: [],
    processors: 8,
    walltimeSeconds: 1800,
    queue: null,
  };

  async function group(rule: 'ALL' | 'ANY', probability: number) {
    const sites = await Promise.all(['north', 'south'].map((name) => world.site(name)));
    const terms = {
      startAt: Math.round(world.clock.now() + 3 * 3600),
      probability,
      idempotencyKey: null,
    };
    const legs = sites.map(({ id, name }) => ({ ...leg, legId: name, siteIds: [id] }));
    const names = legs.map(({ legId }) => legId);
    const rules = { rule: flatRule(rule, null, names), rulePath: 'input', ifLegMissed: 'CANCEL_ALL' } as const;
    return coAllocate(world.commands, world.principal, { ...terms, ...rules, legs });
  }

  async function decided(id: string) {
    const { db } = world.stores.database;
    await world.until('it is decided and every leg settled', async () => {
      const legs = await findLegs(db, [id]);
      const executions = await Promise.all(legs.map(({ executionId }) => world.execution(executionId)));
      const state = (await findCoAllocation(db, id))?.state;
      return state !== 'PENDING' && executions.every(({ settledAt }) => settledAt !== null);
    });
    const legs = await findLegs(db, [id]);
    return { group: await findCoAllocation(db, id), legs };
  }

  test('with rule ANY ends with one winner at the most; the loser is cancelled', async () => {
    const { coAllocationId } = await group('ANY', 0.9);
    const { group: outcome, legs } = await decided(coAllocationId);
    expect(outcome?.promisedProbability).toBeGreaterThanOrEqual(0.9);
    const kept = legs.filter(({ state }) => state === 'KEPT');
    expect(kept).toHaveLength(outcome?.state === 'SUCCEEDED' ? 1 : 0);
    expect(legs.filter(({ state }) => state === 'CANCELLED' || state === 'MISSED')).toHaveLength(
      legs.length - kept.length,
    );
  });

  test('cancelled by its caller ends so, with every leg', async () => {
    const { coAllocationId: id } = await group('ALL', 0.5);
    await cancelCoAllocation(world.commands, world.principal, { id, idempotencyKey: null });
    const { group: outcome, legs } = await decided(id);
    expect(outcome?.state).toBe('CANCELLED');
    expect(legs.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
  });

  test('with rule ALL succeeds only when every leg runs at the common start', async () => {
    const { coAllocationId } = await group('ALL', 0.5);
    const { group: outcome, legs } = await decided(coAllocationId);
    expect(legs).toHaveLength(2);
    expect(outcome?.state).toBe(legs.every(({ state }) => state === 'KEPT') ? 'SUCCEEDED' : 'FAILED');
  });
});
