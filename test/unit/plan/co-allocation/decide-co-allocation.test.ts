import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LegStanding, legsOfRule, type RuleTree } from '../../../../src/domain/co-allocation.ts';
import { decideCoAllocation } from '../../../../src/plan/co-allocation/decide-co-allocation.ts';
import { all, any, arbitraryRule, atLeast, failed, givenUp, holding, isMet, waiting } from '../rule-fixture.ts';

const START_AT = 1000;

function decide(rule: RuleTree, legs: readonly LegStanding[], now: number) {
  return decideCoAllocation(rule, legs, START_AT, now);
}

describe('one group', () => {
  test('ANY is decided the moment one leg holds; the others are cancelled', () => {
    const legs = [waiting('a'), holding('b', 500), failed('c')];
    expect(decide(any('a', 'b', 'c'), legs, 510)).toEqual({ kind: 'SUCCEEDED', winners: ['b'], losers: ['a'] });
  });

  test('ANY with two holding since the same second takes the smaller id', () => {
    const legs = [holding('b', 500), holding('a', 500)];
    expect(decide(any('b', 'a'), legs, 500)).toEqual({ kind: 'SUCCEEDED', winners: ['a'], losers: ['b'] });
  });

  test('ALL waits for the start time with every leg held, and fails with the first that cannot', () => {
    const both = [holding('a', 1), holding('b', 2)];
    expect(decide(all('a', 'b'), both, 999)).toEqual({ kind: 'PENDING', losers: [] });
    expect(decide(all('a', 'b'), both, 1000)).toEqual({ kind: 'SUCCEEDED', winners: ['a', 'b'], losers: [] });
    const broken = [holding('a', 1), failed('b'), waiting('c')];
    expect(decide(all('a', 'b', 'c'), broken, 10)).toEqual({ kind: 'FAILED', losers: ['a', 'c'] });
  });

  test('at the start time waiting is too late', () => {
    const legs = [holding('a', 1), waiting('b')];
    expect(decide(all('a', 'b'), legs, 1000)).toEqual({ kind: 'FAILED', losers: ['a', 'b'] });
    expect(decide(any('b'), [waiting('b')], 1000)).toEqual({ kind: 'FAILED', losers: ['b'] });
  });

  test('AT_LEAST 2 of 3: the first two win, a late third loses', () => {
    const rule = atLeast(2, 'a', 'b', 'c');
    const legs = [holding('a', 30), holding('b', 10), holding('c', 20)];
    expect(decide(rule, legs, 40)).toEqual({ kind: 'SUCCEEDED', winners: ['b', 'c'], losers: ['a'] });
    const open = [holding('a', 1), waiting('b'), failed('c')];
    expect(decide(rule, open, 40)).toEqual({ kind: 'PENDING', losers: [] });
  });

  test('a leg that was given up does not win, however early it came to hold, and is named again', () => {
    const legs = [givenUp('a'), holding('b', 500)];
    expect(decide(any('a', 'b'), legs, 510)).toEqual({ kind: 'SUCCEEDED', winners: ['b'], losers: ['a'] });
    expect(decide(any('a', 'b'), [givenUp('a'), failed('b')], 510)).toEqual({ kind: 'FAILED', losers: ['a'] });
  });

  test('a leg that was never asked for counts as failed', () => {
    expect(decide(any('a', 'b'), [waiting('b')], 10)).toEqual({ kind: 'PENDING', losers: [] });
    expect(decide(all('a', 'b'), [waiting('b')], 10)).toEqual({ kind: 'FAILED', losers: ['b'] });
  });
});

describe('nested groups', () => {
  const rule = all(any('a', 'b'), any('c', 'd'));

  test('a part that is met gives up its other legs at once, though the whole is open', () => {
    const legs = [holding('a', 500), waiting('b'), waiting('c'), waiting('d')];
    expect(decide(rule, legs, 510)).toEqual({ kind: 'PENDING', losers: ['b'] });
    const later = [holding('a', 500), givenUp('b'), holding('c', 700), waiting('d')];
    expect(decide(rule, later, 710)).toEqual({ kind: 'PENDING', losers: ['b', 'd'] });
    const atStart = [holding('a', 500), failed('b'), holding('c', 700), failed('d')];
    expect(decide(rule, atStart, 1000)).toEqual({ kind: 'SUCCEEDED', winners: ['a', 'c'], losers: [] });
  });

  test('a part that can no longer be met gives up all its legs at once', () => {
    const either = any(all('a', 'b'), 'c');
    expect(decide(either, [holding('a', 1), failed('b'), waiting('c')], 10)).toEqual({
      kind: 'PENDING',
      losers: ['a'],
    });
    expect(decide(either, [holding('a', 1), holding('b', 9), waiting('c')], 10)).toEqual({
      kind: 'SUCCEEDED',
      winners: ['a', 'b'],
      losers: ['c'],
    });
  });

  test('of two parts the one that was complete first wins', () => {
    const either = any(all('a', 'b'), all('c', 'd'));
    const legs = [holding('a', 1), holding('b', 30), holding('c', 10), holding('d', 20)];
    expect(decide(either, legs, 40)).toEqual({ kind: 'SUCCEEDED', winners: ['c', 'd'], losers: ['a', 'b'] });
  });

  test('no leg is forgotten, winners meet the rule, and at the start time everything is decided', () => {
    const state = fc.constantFrom<LegStanding['state']>('HOLDING', 'WAITING', 'FAILED', 'GIVEN_UP');
    fc.assert(
      fc.property(
        arbitraryRule(),
        fc.array(state, { minLength: 27, maxLength: 27 }),
        fc.boolean(),
        (tree, states, isTime) => {
          const legs = legsOfRule(tree).map((legId, i): LegStanding => {
            const legState = states[i] ?? 'FAILED';
            return { legId, state: legState, heldSinceAt: legState === 'HOLDING' ? i % 3 : null };
          });
          const decision = decide(tree, legs, isTime ? START_AT : 10);
          const idsOf = (...wanted: string[]) =>
            legs.filter((leg) => wanted.includes(leg.state)).map(({ legId }) => legId);
          expect(decision.losers).toEqual(expect.arrayContaining(idsOf('GIVEN_UP')));
          const mayStillRun = isTime ? idsOf('HOLDING') : idsOf('HOLDING', 'WAITING');
          expect(decision.kind === 'FAILED').toBe(!isMet(tree, (legId) => mayStillRun.includes(legId)));
          if (decision.kind === 'PENDING') {
            expect(isTime).toBe(false);
            const kept = mayStillRun.filter((legId) => !decision.losers.includes(legId));
            expect(isMet(tree, (legId) => kept.includes(legId))).toBe(true);
            return;
          }
          const winners = decision.kind === 'SUCCEEDED' ? decision.winners : [];
          if (decision.kind === 'SUCCEEDED') expect(isMet(tree, (legId) => winners.includes(legId))).toBe(true);
          expect([...winners, ...decision.losers].sort()).toEqual(idsOf('HOLDING', 'WAITING', 'GIVEN_UP').sort());
        },
      ),
    );
  });
});
