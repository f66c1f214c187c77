import { expect } from 'vitest';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { flatRule, type LegMissPolicy, type RuleGroup } from '../../../src/domain/co-allocation.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { loadLegs } from '../../../src/flow/legs.ts';
import { findCoAllocation } from '../../../src/store/co-allocations.ts';
import { findLegs, type ReservationRow } from '../../../src/store/reservations.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

/** What a site says that takes no job of ours. */
export const refuses = () => new Rejected('no account', 'sbatch: error: invalid account');
export const ANY = (names: readonly string[]) => flatRule('ANY', null, names);
export const ALL = (names: readonly string[]) => flatRule('ALL', null, names);

/** Sites where next to nothing runs, so that a job starts the second it is submitted. */
export async function idleSites(...names: readonly string[]): Promise<SteppedWorld> {
  return idleSitesOf(names, null);
}

/** The same, one of which starts nothing more ten minutes after the world began. */
export function idleSitesOf(names: readonly string[], standing: string | null): Promise<SteppedWorld> {
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
export async function group(
  world: SteppedWorld,
  rule: RuleGroup,
  names: readonly string[],
  ifLegMissed: LegMissPolicy,
  siteNames: readonly string[] | null = null,
  mostSitesPerLeg = 1,
  runSeconds = 900,
): Promise<string> {
  // No single site promises as much as that for any leg, nor one site each for all of them.
  const probability = mostSitesPerLeg > 1 ? 0.99 : rule.rule === 'ANY' ? 0.98 : 0.5;
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
  await submitLegs(world, coAllocationId, () => clock.now() + 1800);
  return coAllocationId;
}

export async function submitLegs(world: SteppedWorld, id: string, at: (legId: string) => number): Promise<void> {
  for (const { legId, executionId } of await findLegs(world.database.db, [id])) {
    const submitAt = new Date(at(legId ?? '') * 1000);
    await world.database.db.execution.update({ where: { id: executionId }, data: { submitAt, wakeAt: submitAt } });
  }
}

/** What became of a group, once every leg is settled and nothing is lost or left. */
export async function outcomeOf(world: SteppedWorld, id: string, worker?: FlowContext) {
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

export const states = (legs: Record<string, ReservationRow>) =>
  Object.fromEntries(Object.entries(legs).map(([name, { state }]) => [name, state]));

/** A worker to whom one site says something else than it would. */
export function workerAgainst(world: SteppedWorld, site: string, says: () => Error): FlowContext {
  return world.worker({
    adapter: (adapter, name) => {
      if (name !== site) return adapter;
      return { ...adapter, submit: async () => Promise.reject(says()) };
    },
  });
}

export const SITES = ['a', 'b', 'c', 'd'];

/** Idle sites, and a group of two legs that must both run, each at two of the sites. */
export async function redundant(
  ifLegMissed: LegMissPolicy,
  siteNames: readonly string[] = SITES,
): Promise<{ world: SteppedWorld; id: string }> {
  const world = await idleSites(...siteNames);
  const id = await group(world, ALL(['x', 'y']), ['x', 'y'], ifLegMissed, siteNames, 2);
  const row = await findCoAllocation(world.database.db, id);
  expect(row?.rule).toEqual({ rule: 'ALL', atLeast: null, members: [ANY(['x#1', 'x#2']), ANY(['y#1', 'y#2'])] });
  expect(row?.promisedProbability).toBeGreaterThanOrEqual(0.99);
  expect(row?.pessimisticProbability).toBeLessThan(row?.promisedProbability ?? 0);
  expect(row?.pairedObservations).toBe(0);
  return { world, id };
}

/** Name of the site that a leg goes to. */
export async function siteOf(world: SteppedWorld, id: string, legId: string): Promise<string> {
  const leg = (await loadLegs(world.database.db, id)).find((one) => one.legId === legId);
  const [name] = [...world.siteIds].find(([, siteId]) => siteId === leg?.execution.siteId) ?? [];
  return name ?? '';
}
