import { expect, test } from 'vitest';
import { anyOf, flatRule, isLegNeeded, type RuleTree } from '../../../src/domain/co-allocation.ts';

test('a leg is needed where every group above it needs all its members', () => {
  const mixed: RuleTree = { rule: 'ALL', atLeast: null, members: [anyOf(['a', 'b']), { legId: 'c' }] };
  expect(['a', 'b', 'c', 'd'].map((legId) => isLegNeeded(mixed, legId))).toEqual([false, false, true, false]);
  expect(isLegNeeded(flatRule('AT_LEAST', 2, ['a', 'b', 'c']), 'a')).toBe(false);
  expect(isLegNeeded(flatRule('AT_LEAST', 2, ['a', 'b']), 'a')).toBe(true);
  expect(isLegNeeded(flatRule('ANY', null, ['a']), 'a')).toBe(true);
  const either: RuleTree = { rule: 'ANY', atLeast: null, members: [flatRule('ALL', null, ['a', 'b']), { legId: 'c' }] };
  expect(['a', 'c'].map((legId) => isLegNeeded(either, legId))).toEqual([false, false]);
});
