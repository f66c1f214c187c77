import { afterEach, describe, expect, test } from 'vitest';
import { cancelCoAllocation } from '../../../src/commands/cancel-co-allocation.ts';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { drainSite } from '../../../src/commands/drain-site.ts';
import type { RuleGroup } from '../../../src/domain/co-allocation.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import { loadLegs } from '../../../src/flow/legs.ts';
import { findLegs } from '../../../src/store/reservations.ts';
import { findCharges } from '../../../src/store/scores.ts';
import {
  ALL,
  group,
  idleSites,
  idleSitesOf,
  outcomeOf,
  redundant,
  refuses,
  SITES,
  siteOf,
  states,
  submitLegs,
  workerAgainst,
} from './idle-group.ts';
import type { SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

describe('a missed leg', () => {
  test('with CANCEL_ALL is known at once when its moment has come, so that the other leg does not run to its end', async () => {
    world = await idleSitesOf(['east', 'west'], 'west');
    // The sites are not looked at just when the moment comes.
    world.clock.advanceTo(world.clock.now() + 100);
    const id = await group(world, ALL(['east', 'west']), ['east', 'west'], 'CANCEL_ALL', null, 1, 120);
    const { row, legs } = await outcomeOf(world, id);
    expect(row?.state).toBe('FAILED');
    expect(legs.west?.state).toBe('MISSED');
    const east = await world.database.db.execution.findUnique({ where: { id: legs.east?.executionId ?? '' } });
    expect(east).toMatchObject({ outcome: 'CANCELLED', reason: 'the co-allocation failed' });
  });

  test('that its caller cancelled is not replaced', async () => {
    world = await idleSites('east', 'west', 'third');
    const id = await group(world, ALL(['east', 'west']), ['east', 'west'], 'REPLACE', ['east', 'west', 'third']);
    const [leg] = await findLegs(world.database.db, [id]);
    await cancelReservation(world.commands, world.principal, { id: leg?.id ?? '', idempotencyKey: null });
    const { row, reservations } = await outcomeOf(world, id);
    expect(row?.state).toBe('FAILED');
    expect(reservations.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
  });

  test('with REPLACE is not replaced at a site that is drained while it is asked', async () => {
    world = await idleSites('east', 'west', 'third');
    const sites = ['east', 'west', 'third'];
    const id = await group(world, ALL(['east', 'west']), ['east', 'west'], 'REPLACE', sites);
    const [leg] = await loadLegs(world.database.db, id);
    const missedAt = sites.find((name) => world.siteIds.get(name) === leg?.execution.siteId) ?? '';
    const before = new Set((await world.database.db.execution.findMany()).map((execution) => execution.siteId));
    const left = [...world.siteIds.values()].find((siteId) => !before.has(siteId)) ?? '';
    const worker = workerAgainst(world, missedAt, refuses);
    let drained = false;
    const forecaster = {
      ...worker.forecaster,
      async offerReservation(...[siteId, question]: Parameters<typeof worker.forecaster.offerReservation>) {
        const answer = await worker.forecaster.offerReservation(siteId, question);
        expect([siteId, answer.offer.kind]).toEqual([left, 'PROMISE']);
        if (!drained) {
          await drainSite(world.commands, world.principal, { siteId, drain: true, idempotencyKey: null });
          drained = true;
        }
        return answer;
      },
    };
    const { row, reservations } = await outcomeOf(world, id, { ...worker, forecaster });
    expect(drained).toBe(true);
    expect(row?.state).toBe('FAILED');
    expect(reservations.map(({ state }) => state).sort()).toEqual(['CANCELLED', 'MISSED']);
  });

  test('with REPLACE and no other site to go to, ends the group when time is up', async () => {
    world = await idleSites('east', 'west');
    const id = await group(world, ALL(['east', 'west']), ['east', 'west'], 'REPLACE');
    const { row, legs } = await outcomeOf(world, id, workerAgainst(world, 'west', refuses));
    expect(row?.state).toBe('FAILED');
    expect(states(legs)).toEqual({ east: 'CANCELLED', west: 'MISSED' });
  });
});

describe('a nested rule', () => {
  test('is cancelled with every leg, also when one has missed before', async () => {
    world = await idleSites('a', 'b', 'c');
    const rule: RuleGroup = { rule: 'ANY', atLeast: null, members: [ALL(['a', 'b']), { legId: 'c' }] };
    const id = await group(world, rule, ['a', 'b', 'c'], 'CANCEL_ALL');
    const worker = workerAgainst(world, 'a', refuses);
    const hasMissed = async () => {
      return (await findLegs(world.database.db, [id])).some(({ legId, state }) => legId === 'a' && state === 'MISSED');
    };
    await world.until('the first leg has missed', hasMissed, worker);
    await cancelCoAllocation(world.commands, world.principal, { id, idempotencyKey: null });
    const { row, legs } = await outcomeOf(world, id, worker);
    expect(row).toMatchObject({ state: 'CANCELLED', reason: 'cancelled by its caller' });
    expect(Object.values(states(legs)).every((state) => state === 'CANCELLED' || state === 'MISSED')).toBe(true);
  });
});

describe('a leg at several sites', () => {
  test('that misses at one of them is no miss of the group: it wins at the other', async () => {
    let id: string;
    ({ world, id } = await redundant('CANCEL_ALL'));
    const { row, legs } = await outcomeOf(world, id, workerAgainst(world, await siteOf(world, id, 'x#1'), refuses));
    expect(row?.state).toBe('SUCCEEDED');
    expect(states(legs)).toMatchObject({ 'x#1': 'MISSED', 'x#2': 'KEPT' });
    expect([legs['y#1']?.state, legs['y#2']?.state].sort()).toEqual(['CANCELLED', 'KEPT']);
  });

  test('starting at both within the same second leaves one, also when the other cannot be cancelled for a while', async () => {
    let id: string;
    ({ world, id } = await redundant('CANCEL_ALL'));
    let refusals = 0;
    const worker = world.worker({
      adapter: (adapter, name) => ({
        ...adapter,
        async cancel(job) {
          if (refusals++ < 5) throw new Unavailable(`${name} does not answer`);
          await adapter.cancel(job);
        },
      }),
    });
    const { row, legs, reservations } = await outcomeOf(world, id, worker);
    expect(refusals).toBeGreaterThan(5);
    expect(row?.state).toBe('SUCCEEDED');
    expect([legs['x#1']?.state, legs['x#2']?.state].sort()).toEqual(['CANCELLED', 'KEPT']);
    expect([legs['y#1']?.state, legs['y#2']?.state].sort()).toEqual(['CANCELLED', 'KEPT']);
    const losers = reservations.filter(({ state }) => state === 'CANCELLED');
    const charges = await findCharges(
      world.database.db,
      losers.map(({ executionId }) => executionId),
    );
    expect(charges.map(({ kind }) => kind)).toEqual(['LOST', 'LOST']);
    const ran = await world.database.db.execution.count({ where: { outcome: 'COMPLETED' } });
    expect(ran).toBe(2);
  });

  test('with REPLACE gets another site for the one it missed at, for the rest is less sure than promised', async () => {
    let id: string;
    ({ world, id } = await redundant('REPLACE', [...SITES, 'e']));
    const missedAt = await siteOf(world, id, 'x#1');
    const { row, reservations } = await outcomeOf(world, id, workerAgainst(world, missedAt, refuses));
    expect(row?.state).toBe('SUCCEEDED');
    const attempts = reservations.filter(({ legId }) => legId === 'x#1').map(({ state }) => state);
    expect(attempts).toHaveLength(2);
    expect(attempts[0]).toBe('MISSED');
    const running = reservations.filter(({ state }) => state === 'KEPT').map(({ legId }) => legId?.slice(0, 1));
    expect(running.sort()).toEqual(['x', 'y']);
  });

  test('with GO_ON runs once when the other leg is lost', async () => {
    let id: string;
    ({ world, id } = await redundant('GO_ON'));
    const [first, second] = [await siteOf(world, id, 'y#1'), await siteOf(world, id, 'y#2')];
    const worker = world.worker({
      adapter: (adapter, name) =>
        name === first || name === second ? { ...adapter, submit: async () => Promise.reject(refuses()) } : adapter,
    });
    // The leg that is refused is submitted long before the other one.
    const submitAt = world.clock.now() + 1800;
    await submitLegs(world, id, (legId) => submitAt + (legId.startsWith('y') ? 0 : 1800));
    const { row, legs } = await outcomeOf(world, id, worker);
    expect(row).toMatchObject({
      state: 'FAILED',
      reason: expect.stringMatching(/y#1.*y#2.* missed; goes on with x#\d$/),
    });
    expect([legs['x#1']?.state, legs['x#2']?.state].sort()).toEqual(['CANCELLED', 'KEPT']);
    expect(await world.database.db.execution.count({ where: { outcome: 'COMPLETED' } })).toBe(1);
  });

  test('is cancelled at one of them by its caller, and goes on at the other', async () => {
    let id: string;
    ({ world, id } = await redundant('REPLACE', [...SITES, 'e']));
    const leg = (await findLegs(world.database.db, [id])).find(({ legId }) => legId === 'x#1');
    await cancelReservation(world.commands, world.principal, { id: leg?.id ?? '', idempotencyKey: null });
    const { row, legs, reservations } = await outcomeOf(world, id);
    expect(row?.state).toBe('SUCCEEDED');
    expect(reservations).toHaveLength(4);
    expect(states(legs)).toMatchObject({ 'x#1': 'CANCELLED', 'x#2': 'KEPT' });
  });
});
