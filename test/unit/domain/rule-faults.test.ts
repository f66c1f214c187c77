import { expect, test, vi } from 'vitest';
import type { RuleTree } from '../../../src/domain/co-allocation.ts';
import { findRuleFaults, MOST_RULE_FAULTS } from '../../../src/domain/rule-faults.ts';
import { all, any, atLeast } from '../plan/rule-fixture.ts';

function faultsOf(rule: RuleTree, legIds: readonly string[]): [string | null, string][] {
  return findRuleFaults(rule, legIds, 'input.rule').map(({ field, message }) => [field, message]);
}

test('a sound rule has no faults', () => {
  expect(faultsOf(all(any('a', 'b'), atLeast(1, 'c', 'd')), ['a', 'b', 'c', 'd'])).toEqual([]);
});

test('each fault names its field, the value and the remedy', () => {
  expect(faultsOf(all('a', atLeast(3, 'b', 'c')), ['a', 'b', 'c'])).toEqual([
    ['input.rule.members[1].atLeast', 'rule AT_LEAST needs atLeast from 1 to the 2 members, got 3'],
  ]);
  expect(faultsOf(all(any(), 'a'), ['a'])).toEqual([
    ['input.rule.members[0].members', 'a rule has at least one member'],
  ]);
  expect(faultsOf({ ...all('a'), atLeast: 1 }, ['a'])).toEqual([
    ['input.rule.atLeast', 'atLeast goes with rule AT_LEAST only, the rule is ALL'],
  ]);
});

test('every leg is named exactly once', () => {
  expect(faultsOf(all('a', any('b', 'a'), 'x'), ['a', 'b', 'c'])).toEqual([
    ['input.rule.members[2].leg', 'there is no leg x; there are a, b, c'],
    ['input.rule', 'every leg is part of the rule; it leaves out c'],
    ['input.rule', 'a leg is named once in the rule; it names a again'],
  ]);
});

test('nesting has an end', () => {
  const deep = Array.from({ length: 6 }).reduce<RuleTree>((rule) => all(rule), { legId: 'a' });
  expect(faultsOf(deep, ['a'])).toEqual([
    ['input.rule.members[0].members[0].members[0].members[0].members[0]', 'rules are nested at most 5 deep'],
  ]);
});

test('no more than a score of faults is told, however many there are', () => {
  const strangers = Array.from({ length: 60_000 }, (_, i) => `x${i}`);
  expect(faultsOf(all('a', ...strangers), ['a'])).toHaveLength(MOST_RULE_FAULTS);
});

test('no list is searched once for each member', () => {
  const legs = Array.from({ length: 60_000 }, (_, i) => `leg${i}`);
  const rule = all(...legs, ...legs);
  const searches = [vi.spyOn(Array.prototype, 'indexOf'), vi.spyOn(Array.prototype, 'includes')];
  const faults = findRuleFaults(rule, legs, 'rule');
  const searched = searches.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const search of searches) search.mockRestore();
  expect(faults).toHaveLength(1);
  expect(searched).toBeLessThan(100);
});
