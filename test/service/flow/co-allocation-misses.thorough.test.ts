import { afterEach, describe, expect, test } from 'vitest';
import { loadLegs } from '../../../src/flow/legs.ts';
import { findCharges } from '../../../src/store/scores.ts';
import {
  ALL,
  group,
  idleSites,
  outcomeOf,
  redundant,
  refuses,
  states,
  submitLegs,
  workerAgainst,
} from './idle-group.ts';
import type { SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

describe('a missed leg', () => {
  test('with CANCEL_ALL ends the group and frees the other leg', async () => {
    world = await idleSites('east', 'west');
    const id = await group(world, ALL(['east', 'west']), ['east', 'west'], 'CANCEL_ALL');
    const { row, legs } = await outcomeOf(world, id, workerAgainst(world, 'west', refuses));
    expect(row).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/west .*invalid account.* missed/) });
    expect(states(legs)).toEqual({ east: 'CANCELLED', west: 'MISSED' });
  });

  test('with GO_ON leaves the other leg to run', async () => {
    world = await idleSites('east', 'west');
    const id = await group(world, ALL(['east', 'west']), ['east', 'west'], 'GO_ON');
    const { row, legs } = await outcomeOf(world, id, workerAgainst(world, 'west', refuses));
    expect(row).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/goes on with east/) });
    expect(states(legs)).toEqual({ east: 'KEPT', west: 'MISSED' });
  });

  test('with REPLACE is replaced at another site, and the rule is met', async () => {
    world = await idleSites('east', 'west', 'third');
    const sites = ['east', 'west', 'third'];
    const id = await group(world, ALL(['east', 'west']), ['east', 'west'], 'REPLACE', sites);
    const [leg] = await loadLegs(world.database.db, id);
    const siteId = leg?.execution.siteId;
    const site = sites.find((name) => world.siteIds.get(name) === siteId) ?? '';
    const { row, legs, reservations } = await outcomeOf(world, id, workerAgainst(world, site, refuses));
    expect(row?.state).toBe('SUCCEEDED');
    expect(states(legs)).toEqual({ east: 'KEPT', west: 'KEPT' });
    expect(reservations.map(({ state }) => state).sort()).toEqual(['KEPT', 'KEPT', 'MISSED']);
    const used = await world.database.db.execution.findMany({ where: { outcome: 'COMPLETED' } });
    expect(new Set(used.map((execution) => execution.siteId)).size).toBe(2);
  });
});

describe('a leg at several sites', () => {
  test('runs where it starts first, and is cancelled at the other site at once', async () => {
    let id: string;
    ({ world, id } = await redundant('CANCEL_ALL'));
    const submitAt = world.clock.now() + 1800;
    await submitLegs(world, id, (legId) => submitAt + (legId.endsWith('#1') ? 1200 : 0));
    const { row, legs, reservations } = await outcomeOf(world, id);
    expect(row).toMatchObject({ state: 'SUCCEEDED', reason: expect.stringMatching(/^x#2.*y#2.* met the rule$/) });
    expect(states(legs)).toEqual({ 'x#1': 'CANCELLED', 'x#2': 'KEPT', 'y#1': 'CANCELLED', 'y#2': 'KEPT' });
    const losers = reservations.filter(({ state }) => state === 'CANCELLED').map(({ executionId }) => executionId);
    const ended = await world.database.db.execution.findMany({ where: { id: { in: losers } } });
    // The winners are seen within two observations of their submission; nothing was ever submitted for the others.
    for (const { cancelReason, endedAt, nativeId, startedAt } of ended) {
      expect({ cancelReason, nativeId, startedAt }).toEqual({
        cancelReason: 'another leg won',
        nativeId: null,
        startedAt: null,
      });
      expect(Number(endedAt) / 1000 - submitAt).toBeLessThanOrEqual(2 * world.settings.observeIntervalSeconds);
    }
    expect(await findCharges(world.database.db, losers)).toEqual([]);
  });
});
