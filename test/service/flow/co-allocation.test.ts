import { afterEach, describe, expect, test } from 'vitest';
import { cancelCoAllocation } from '../../../src/commands/cancel-co-allocation.ts';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { drainSite } from '../../../src/commands/drain-site.ts';
import { flatRule, type LegMissPolicy, type RuleGroup } from '../../../src/domain/co-allocation.ts';
import { Rejected, Unavailable } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { loadLegs } from '../../../src/flow/steps/legs.ts';
import { findCoAllocation } from '../../../src/store/co-allocations.ts';
import { findLegs, type ReservationRow } from '../../../src/store/reservations.ts';
import { findCharges } from '../../../src/store/scores.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const refuses = () => new Rejected('no account', 'sbatch: error: invalid account');
const ANY = (names: readonly string[]) => flatRule('ANY', null, names);
const ALL = (names: readonly string[]) => flatRule('ALL', null, names);

/** Sites where next to nothing runs, so that a job starts the second it is submitted. */
async function idleSites(...names: readonly string[]): Promise<SteppedWorld> {
  return idleSitesOf(names, null);
}

/** The same, one of which starts nothing more ten minutes after the world began. */
function idleSitesOf(names: readonly string[], standing: string | null): Promise<SteppedWorld> {
  return createSteppedWorld({
    seed: 1,
    // Submission times stay where the tests put them.
    settings: { observeIntervalSeconds: 300, recomputeIntervalSeconds: 1e6 },
    sites: names.map((name, n) => ({
      name,
      processors: 64,
      policy: 'easy',
      workload: { generated: { seed: 40 + n, load: 0.02 } },
      warmDays: 40,
      ...(name === standing && { outages: [{ kind: 'drain', afterSeconds: 600 }] as const }),
    })),
  });
}

/**
 * A group with one leg per name, all of them submitted half an hour from now; the legs may go to the sites given, or
 * each to the site of its name.
 */
async function group(
  rule: RuleGroup,
  names: readonly string[],
  ifLegMissed: LegMissPolicy,
  siteNames: readonly string[] | null = null,
  mostSitesPerLeg = 1,
  runSeconds = 900,
): Promise<string> {
  // No single site promises as much as that for any leg, nor one site each for all of them.
  const probability = rule.rule === 'ANY' || mostSitesPerLeg > 1 ? 0.99 : 0.5;
  const { commands, principal, clock, siteIds } = world;
  const script = `#!/bin/sh\nsleep ${runSeconds}\n`;
  const size = { arguments: [], queue: null, processors: 4, walltimeSeconds: 1800 };
  const legs = names.map((name) => {
    const allowed = (siteNames ?? [name]).map((site) => siteIds.get(site) ?? '');
    return { ...size, script, name: `leg-${name}`, legId: name, siteIds: allowed };
  });
  const terms = {
    startAt: Math.round(clock.now() + 7200),
    probability,
    rulePath: 'input',
    ifLegMissed,
    mostSitesPerLeg,
  } as const;
  const { coAllocationId } = await coAllocate(commands, principal, { ...terms, rule, legs, idempotencyKey: null });
  await submitLegs(coAllocationId, () => clock.now() + 1800);
  return coAllocationId;
}

async function submitLegs(id: string, at: (legId: string) => number): Promise<void> {
  for (const { legId, executionId } of await findLegs(world.database.db, [id])) {
    const submitAt = new Date(at(legId ?? '') * 1000);
    await world.database.db.execution.update({ where: { id: executionId }, data: { submitAt, wakeAt: submitAt } });
  }
}

async function outcomeOf(id: string, worker?: FlowContext) {
  const { db } = world.database;
  await world.until(
    'the group is decided and every leg settled',
    async () => {
      const legs = await loadLegs(db, id);
      const decided = (await findCoAllocation(db, id))?.state !== 'PENDING';
      return decided && legs.every(({ execution }) => execution.settledAt !== null);
    },
    worker,
  );
  expect(await judge(world)).toMatchObject(CLEAN);
  const reservations = await findLegs(db, [id]);
  return {
    row: await findCoAllocation(db, id),
    legs: Object.fromEntries(reservations.map((leg) => [leg.legId, leg])),
    reservations,
  };
}

const states = (legs: Record<string, ReservationRow>) =>
  Object.fromEntries(Object.entries(legs).map(([name, { state }]) => [name, state]));

/** A worker to whom one site says something else than it would. */
function workerAgainst(site: string, says: () => Error): FlowContext {
  return world.worker({
    adapter: (adapter, name) => {
      if (name !== site) return adapter;
      return { ...adapter, submit: async () => Promise.reject(says()) };
    },
  });
}

describe('either-or', () => {
  test('both legs starting within the same second leave one winner, the other is cancelled and charged as lost', async () => {
    world = await idleSites('east', 'west');
    const id = await group(ANY(['east', 'west']), ['east', 'west'], 'CANCEL_ALL');
    const both = await outcomeOf(id);
    expect(both.row).toMatchObject({ state: 'SUCCEEDED', reason: expect.stringMatching(/met the rule/) });
    const executions = await world.database.db.execution.findMany({ where: { name: { startsWith: 'leg-' } } });
    expect(new Set(executions.map(({ startedAt }) => startedAt?.getTime())).size).toBe(1);
    expect(Object.values(states(both.legs)).sort()).toEqual(['CANCELLED', 'KEPT']);
    await expectLoserCharged(both.reservations);
  });

  /** What the loser held, by its row, is lost, all of it and nothing else. Returns the processor-seconds. */
  async function expectLoserCharged(reservations: Awaited<ReturnType<typeof outcomeOf>>['reservations']) {
    const { db } = world.database;
    const executionId = reservations.find(({ state }) => state === 'CANCELLED')?.executionId ?? '';
    const { startedAt, endedAt, processors } = await db.execution.findUniqueOrThrow({ where: { id: executionId } });
    const held = (((endedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1000) * processors;
    const charges = await findCharges(db, [executionId]);
    expect(charges.map(({ kind, processorSeconds }) => [kind, processorSeconds])).toEqual([['LOST', held]]);
    return held;
  }

  test('a late winner, which starts while it is being cancelled, is cancelled all the same', async () => {
    world = await idleSites('east', 'west');
    const id = await group(ANY(['east', 'west']), ['east', 'west'], 'CANCEL_ALL');
    const submitAt = world.clock.now() + 1800;
    await submitLegs(id, (legId) => submitAt + (legId === 'west' ? 30 : 0));
    // The loser's site cannot be reached for a while after its job began to hold processors there.
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
    const both = await outcomeOf(id, worker);
    expect(refusals).toBeGreaterThan(5);
    expect(both.row?.state).toBe('SUCCEEDED');
    expect(Object.values(states(both.legs)).sort()).toEqual(['CANCELLED', 'KEPT']);
    expect(await expectLoserCharged(both.reservations)).toBeGreaterThan(0);
  });
});

describe('a missed leg', () => {
  test('with CANCEL_ALL ends the group and frees the other leg', async () => {
    world = await idleSites('east', 'west');
    const id = await group(ALL(['east', 'west']), ['east', 'west'], 'CANCEL_ALL');
    const { row, legs } = await outcomeOf(id, workerAgainst('west', refuses));
    expect(row).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/west .*invalid account.* missed/) });
    expect(states(legs)).toEqual({ east: 'CANCELLED', west: 'MISSED' });
  });

  test('with CANCEL_ALL is known at once when its moment has come, so that the other leg does not run to its end', async () => {
    world = await idleSitesOf(['east', 'west'], 'west');
    // The sites are not looked at just when the moment comes.
    world.clock.advanceTo(world.clock.now() + 100);
    const id = await group(ALL(['east', 'west']), ['east', 'west'], 'CANCEL_ALL', null, 1, 120);
    const { row, legs } = await outcomeOf(id);
    expect(row?.state).toBe('FAILED');
    expect(legs.west?.state).toBe('MISSED');
    const east = await world.database.db.execution.findUnique({ where: { id: legs.east?.executionId ?? '' } });
    expect(east).toMatchObject({ outcome: 'CANCELLED', reason: 'the co-allocation failed' });
  });

  test('with GO_ON leaves the other leg to run', async () => {
    world = await idleSites('east', 'west');
    const id = await group(ALL(['east', 'west']), ['east', 'west'], 'GO_ON');
    const { row, legs } = await outcomeOf(id, workerAgainst('west', refuses));
    expect(row).toMatchObject({ state: 'FAILED', reason: expect.stringMatching(/goes on with east/) });
    expect(states(legs)).toEqual({ east: 'KEPT', west: 'MISSED' });
  });

  test('with REPLACE is replaced at another site, and the rule is met', async () => {
    world = await idleSites('east', 'west', 'third');
    const sites = ['east', 'west', 'third'];
    const id = await group(ALL(['east', 'west']), ['east', 'west'], 'REPLACE', sites);
    const [leg] = await loadLegs(world.database.db, id);
    const siteId = leg?.execution.siteId;
    const site = sites.find((name) => world.siteIds.get(name) === siteId) ?? '';
    const { row, legs, reservations } = await outcomeOf(id, workerAgainst(site, refuses));
    expect(row?.state).toBe('SUCCEEDED');
    expect(states(legs)).toEqual({ east: 'KEPT', west: 'KEPT' });
    expect(reservations.map(({ state }) => state).sort()).toEqual(['KEPT', 'KEPT', 'MISSED']);
    const used = await world.database.db.execution.findMany({ where: { outcome: 'COMPLETED' } });
    expect(new Set(used.map((execution) => execution.siteId)).size).toBe(2);
  });

  test('with REPLACE is not replaced at a site that is drained while it is asked', async () => {
    world = await idleSites('east', 'west', 'third');
    const sites = ['east', 'west', 'third'];
    const id = await group(ALL(['east', 'west']), ['east', 'west'], 'REPLACE', sites);
    const [leg] = await loadLegs(world.database.db, id);
    const missedAt = sites.find((name) => world.siteIds.get(name) === leg?.execution.siteId) ?? '';
    const before = new Set((await world.database.db.execution.findMany()).map((execution) => execution.siteId));
    const left = [...world.siteIds.values()].find((siteId) => !before.has(siteId)) ?? '';
    const worker = workerAgainst(missedAt, refuses);
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
    const { row, reservations } = await outcomeOf(id, { ...worker, forecaster });
    expect(drained).toBe(true);
    expect(row?.state).toBe('FAILED');
    expect(reservations.map(({ state }) => state).sort()).toEqual(['CANCELLED', 'MISSED']);
  });

  test('with REPLACE and no other site to go to, ends the group when time is up', async () => {
    world = await idleSites('east', 'west');
    const id = await group(ALL(['east', 'west']), ['east', 'west'], 'REPLACE');
    const { row, legs } = await outcomeOf(id, workerAgainst('west', refuses));
    expect(row?.state).toBe('FAILED');
    expect(states(legs)).toEqual({ east: 'CANCELLED', west: 'MISSED' });
  });

  test('that its caller cancelled is not replaced', async () => {
    world = await idleSites('east', 'west', 'third');
    const id = await group(ALL(['east', 'west']), ['east', 'west'], 'REPLACE', ['east', 'west', 'third']);
    const [leg] = await findLegs(world.database.db, [id]);
    await cancelReservation(world.commands, world.principal, { id: leg?.id ?? '', idempotencyKey: null });
    const { row, reservations } = await outcomeOf(id);
    expect(row?.state).toBe('FAILED');
    expect(reservations.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
  });
});

describe('a nested rule', () => {
  test('all of any of: the loser of each part is cancelled as soon as that part is met', async () => {
    world = await idleSites('a', 'b', 'c', 'd');
    const rule: RuleGroup = { rule: 'ALL', atLeast: null, members: [ANY(['a', 'b']), ANY(['c', 'd'])] };
    const id = await group(rule, ['a', 'b', 'c', 'd'], 'CANCEL_ALL');
    const { row, legs } = await outcomeOf(id);
    expect(row?.state).toBe('SUCCEEDED');
    const kept = Object.entries(states(legs))
      .filter(([, state]) => state === 'KEPT')
      .map(([name]) => name);
    expect(kept.filter((name) => 'ab'.includes(name))).toHaveLength(1);
    expect(kept.filter((name) => 'cd'.includes(name))).toHaveLength(1);
  });

  test('is cancelled with every leg, also when one has missed before', async () => {
    world = await idleSites('a', 'b', 'c');
    const rule: RuleGroup = { rule: 'ANY', atLeast: null, members: [ALL(['a', 'b']), { legId: 'c' }] };
    const id = await group(rule, ['a', 'b', 'c'], 'CANCEL_ALL');
    const worker = workerAgainst('a', refuses);
    const hasMissed = async () => {
      return (await findLegs(world.database.db, [id])).some(({ legId, state }) => legId === 'a' && state === 'MISSED');
    };
    await world.until('the first leg has missed', hasMissed, worker);
    await cancelCoAllocation(world.commands, world.principal, { id, idempotencyKey: null });
    const { row, legs } = await outcomeOf(id, worker);
    expect(row).toMatchObject({ state: 'CANCELLED', reason: 'cancelled by its caller' });
    expect(Object.values(states(legs)).every((state) => state === 'CANCELLED' || state === 'MISSED')).toBe(true);
  });
});

describe('a leg at several sites', () => {
  const SITES = ['a', 'b', 'c', 'd'];

  /** Both of two legs, each at two of the sites. */
  async function redundant(ifLegMissed: LegMissPolicy, siteNames: readonly string[] = SITES): Promise<string> {
    world = await idleSites(...siteNames);
    const id = await group(ALL(['x', 'y']), ['x', 'y'], ifLegMissed, siteNames, 2);
    const row = await findCoAllocation(world.database.db, id);
    expect(row?.rule).toEqual({ rule: 'ALL', atLeast: null, members: [ANY(['x#1', 'x#2']), ANY(['y#1', 'y#2'])] });
    expect(row?.promisedProbability).toBeGreaterThanOrEqual(0.99);
    expect(row?.pessimisticProbability).toBeLessThan(row?.promisedProbability ?? 0);
    expect(row?.pairedObservations).toBe(0);
    return id;
  }

  async function siteOf(id: string, legId: string): Promise<string> {
    const leg = (await loadLegs(world.database.db, id)).find((one) => one.legId === legId);
    const [name] = [...world.siteIds].find(([, siteId]) => siteId === leg?.execution.siteId) ?? [];
    return name ?? '';
  }

  test('runs where it starts first, and is cancelled at the other site at once', async () => {
    const id = await redundant('CANCEL_ALL');
    const submitAt = world.clock.now() + 1800;
    await submitLegs(id, (legId) => submitAt + (legId.endsWith('#1') ? 1200 : 0));
    const { row, legs, reservations } = await outcomeOf(id);
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

  test('that misses at one of them is no miss of the group: it wins at the other', async () => {
    const id = await redundant('CANCEL_ALL');
    const { row, legs } = await outcomeOf(id, workerAgainst(await siteOf(id, 'x#1'), refuses));
    expect(row?.state).toBe('SUCCEEDED');
    expect(states(legs)).toMatchObject({ 'x#1': 'MISSED', 'x#2': 'KEPT' });
    expect([legs['y#1']?.state, legs['y#2']?.state].sort()).toEqual(['CANCELLED', 'KEPT']);
  });

  test('starting at both within the same second leaves one, also when the other cannot be cancelled for a while', async () => {
    const id = await redundant('CANCEL_ALL');
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
    const { row, legs, reservations } = await outcomeOf(id, worker);
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
    const id = await redundant('REPLACE', [...SITES, 'e']);
    const missedAt = await siteOf(id, 'x#1');
    const { row, reservations } = await outcomeOf(id, workerAgainst(missedAt, refuses));
    expect(row?.state).toBe('SUCCEEDED');
    const attempts = reservations.filter(({ legId }) => legId === 'x#1').map(({ state }) => state);
    expect(attempts).toHaveLength(2);
    expect(attempts[0]).toBe('MISSED');
    const running = reservations.filter(({ state }) => state === 'KEPT').map(({ legId }) => legId?.slice(0, 1));
    expect(running.sort()).toEqual(['x', 'y']);
  });

  test('with GO_ON runs once when the other leg is lost', async () => {
    const id = await redundant('GO_ON');
    const [first, second] = [await siteOf(id, 'y#1'), await siteOf(id, 'y#2')];
    const worker = world.worker({
      adapter: (adapter, name) =>
        name === first || name === second ? { ...adapter, submit: async () => Promise.reject(refuses()) } : adapter,
    });
    // The leg that is refused is submitted long before the other one.
    const submitAt = world.clock.now() + 1800;
    await submitLegs(id, (legId) => submitAt + (legId.startsWith('y') ? 0 : 1800));
    const { row, legs } = await outcomeOf(id, worker);
    expect(row).toMatchObject({
      state: 'FAILED',
      reason: expect.stringMatching(/y#1.*y#2.* missed; goes on with x#\d$/),
    });
    expect([legs['x#1']?.state, legs['x#2']?.state].sort()).toEqual(['CANCELLED', 'KEPT']);
    expect(await world.database.db.execution.count({ where: { outcome: 'COMPLETED' } })).toBe(1);
  });

  test('is cancelled at one of them by its caller, and goes on at the other', async () => {
    const id = await redundant('REPLACE', [...SITES, 'e']);
    const leg = (await findLegs(world.database.db, [id])).find(({ legId }) => legId === 'x#1');
    await cancelReservation(world.commands, world.principal, { id: leg?.id ?? '', idempotencyKey: null });
    const { row, legs, reservations } = await outcomeOf(id);
    expect(row?.state).toBe('SUCCEEDED');
    expect(reservations).toHaveLength(4);
    expect(states(legs)).toMatchObject({ 'x#1': 'CANCELLED', 'x#2': 'KEPT' });
  });
});
