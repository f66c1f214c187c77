import { afterEach, describe, expect, test } from 'vitest';
import type { RuleGroup } from '../../../src/domain/co-allocation.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import { findCharges } from '../../../src/store/scores.ts';
import { ANY, group, idleSites, outcomeOf, states, submitLegs } from './idle-group.ts';
import type { SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

describe('either-or', () => {
  test('both legs starting within the same second leave one winner, the other is cancelled and charged as lost', async () => {
    world = await idleSites('east', 'west');
    const id = await group(world, ANY(['east', 'west']), ['east', 'west'], 'CANCEL_ALL');
    const both = await outcomeOf(world, id);
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
    const id = await group(world, ANY(['east', 'west']), ['east', 'west'], 'CANCEL_ALL');
    const submitAt = world.clock.now() + 1800;
    await submitLegs(world, id, (legId) => submitAt + (legId === 'west' ? 30 : 0));
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
    const both = await outcomeOf(world, id, worker);
    expect(refusals).toBeGreaterThan(5);
    expect(both.row?.state).toBe('SUCCEEDED');
    expect(Object.values(states(both.legs)).sort()).toEqual(['CANCELLED', 'KEPT']);
    expect(await expectLoserCharged(both.reservations)).toBeGreaterThan(0);
  });
});

describe('a nested rule', () => {
  test('all of any of: the loser of each part is cancelled as soon as that part is met', async () => {
    world = await idleSites('a', 'b', 'c', 'd');
    const rule: RuleGroup = { rule: 'ALL', atLeast: null, members: [ANY(['a', 'b']), ANY(['c', 'd'])] };
    const id = await group(world, rule, ['a', 'b', 'c', 'd'], 'CANCEL_ALL');
    const { row, legs } = await outcomeOf(world, id);
    expect(row?.state).toBe('SUCCEEDED');
    const kept = Object.entries(states(legs))
      .filter(([, state]) => state === 'KEPT')
      .map(([name]) => name);
    expect(kept.filter((name) => 'ab'.includes(name))).toHaveLength(1);
    expect(kept.filter((name) => 'cd'.includes(name))).toHaveLength(1);
  });
});
