import { describe, expect, test } from 'vitest';
import type { LegMissPolicy, LegStanding, RuleTree } from '../../../../src/domain/co-allocation.ts';
import { decideAfterMiss } from '../../../../src/plan/co-allocation/decide-after-miss.ts';
import { all, any, atLeast, failed, givenUp, holding, waiting } from '../rule-fixture.ts';

function decide(policy: LegMissPolicy, rule: RuleTree, legs: readonly LegStanding[], now = 10) {
  const probabilityOf = (legId: string) => (legId.endsWith('#2') ? 0.95 : 0.9);
  const common = { startAt: 1000, probability: 0.8, probabilityOf, shortestLeadSeconds: 300 };
  return decideAfterMiss({ rule, policy, legs, now, ...common });
}

describe('when the rule is lost', () => {
  const legs = [holding('a', 1), failed('b'), waiting('c'), givenUp('d')];
  const rule = all('a', 'b', 'c', 'd');

  test('CANCEL_ALL gives up every leg', () => {
    expect(decide('CANCEL_ALL', rule, legs)).toEqual({ kind: 'CANCEL_ALL', legIds: ['a', 'c', 'd'] });
  });

  test('GO_ON lets those run that hold or wait', () => {
    expect(decide('GO_ON', rule, legs)).toEqual({ kind: 'GO_ON', legIds: ['a', 'c'] });
  });

  test('GO_ON lets a leg that waits at several sites run at one of them', () => {
    const copies = all('a', any('b#1', 'b#2', 'b#3'), any('c#1', 'c#2'));
    const standings = [failed('a'), waiting('b#1'), waiting('b#2'), waiting('b#3'), waiting('c#2'), holding('c#1', 1)];
    expect(decide('GO_ON', copies, standings)).toEqual({ kind: 'GO_ON', legIds: ['b#2', 'c#1'] });
  });

  test('GO_ON lets everything run of a part that is lost itself', () => {
    const rule = all('a', atLeast(2, 'b', 'c', 'd'), atLeast(2, 'e', 'f', 'g'));
    const standings = [
      failed('a'),
      failed('b'),
      failed('c'),
      waiting('d'),
      waiting('e'),
      waiting('f'),
      holding('g', 1),
    ];
    expect(decide('GO_ON', rule, standings)).toEqual({ kind: 'GO_ON', legIds: ['d', 'g', 'e'] });
  });

  test('REPLACE asks for substitutes while there is time, then cancels', () => {
    const two = all('a', 'b');
    const missed = [holding('a', 1), failed('b')];
    expect(decide('REPLACE', two, missed, 700)).toEqual({ kind: 'REPLACE', legIds: ['b'] });
    expect(decide('REPLACE', two, missed, 701)).toEqual({ kind: 'CANCEL_ALL', legIds: ['a'] });
  });
});

describe('while the rule can still be met', () => {
  const legs = [failed('a'), waiting('b'), waiting('c')];

  test.each(['CANCEL_ALL', 'GO_ON'] as const)('%s does nothing', (policy) => {
    expect(decide(policy, atLeast(2, 'a', 'b', 'c'), legs)).toEqual({ kind: 'NOTHING' });
  });

  test('REPLACE does nothing as long as the rest is as probable as promised', () => {
    expect(decide('REPLACE', atLeast(2, 'a', 'b', 'c'), legs)).toEqual({ kind: 'NOTHING' });
    expect(decide('REPLACE', any('a', 'b', 'c'), legs)).toEqual({ kind: 'NOTHING' });
  });

  test('REPLACE asks for another leg when the rest has become less probable', () => {
    const weaker = [failed('a'), waiting('b'), waiting('c'), waiting('d')];
    expect(decide('REPLACE', atLeast(3, 'a', 'b', 'c', 'd'), weaker)).toEqual({ kind: 'REPLACE', legIds: ['a'] });
  });
});

test('REPLACE names only legs whose substitute helps', () => {
  const rule = all(any('a', 'b'), any('c', 'd'), 'e');
  const legs = [holding('a', 1), failed('b'), failed('c'), failed('d'), failed('e')];
  expect(decide('REPLACE', rule, legs)).toEqual({ kind: 'REPLACE', legIds: ['e'] });
  const none = [failed('a'), failed('b'), failed('c')];
  expect(decide('REPLACE', atLeast(2, 'a', 'b', 'c'), none)).toEqual({ kind: 'REPLACE', legIds: ['a', 'b', 'c'] });
});

test('nothing is done about a co-allocation that has succeeded', () => {
  expect(decide('CANCEL_ALL', any('a', 'b'), [holding('a', 1), failed('b')])).toEqual({ kind: 'NOTHING' });
});
