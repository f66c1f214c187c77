import { expect, test } from 'vitest';
import { longestChain } from '../../../src/stats/longest-chain.ts';

test('by hand: no step falls, none rises by more than half', () => {
  expect(longestChain([100, 90, 140, 400, 150, 200], 0.5)).toEqual([0, 2, 4, 5]);
  expect(longestChain([5, 4, 3], 0.5)).toEqual([0]);
  expect(longestChain([3, 3, 3], 0.5)).toEqual([0, 1, 2]);
  expect(longestChain([10, 100], 0.5)).toEqual([0]);
  expect(longestChain([], 0.5)).toEqual([]);
});
