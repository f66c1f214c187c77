import { expect, test } from 'vitest';
import { sitesInMemory } from '../../../src/forecast/kept-in-memory.ts';

const NOW = 10_000_000;
const site = (
  siteId: string,
  askedAt: number | null,
  others: { isOwned?: boolean; putAwayAt?: number | null } = {},
) => ({
  ...{ siteId, askedAt, isOwned: false, putAwayAt: null },
  ...others,
});

test('those are kept that were asked about last', () => {
  const sites = [site('old', 1), site('never', null), site('new', 3), site('newer', 4)];
  expect(sitesInMemory(sites, 2, NOW)).toEqual({ kept: ['newer', 'new'], visited: null });
  expect(sitesInMemory(sites, 10, NOW)).toEqual({ kept: ['newer', 'new', 'old', 'never'], visited: null });
});

test('of those put away the owner takes one in at a time, the one that was left longest, and none too soon', () => {
  const minutesAgo = (minutes: number) => ({ isOwned: true, putAwayAt: NOW - 60_000 * minutes });
  const sites = [site('asked', 1), site('a', null, minutesAgo(20)), site('b', null, minutesAgo(25))];
  expect(sitesInMemory(sites, 1, NOW)).toEqual({ kept: ['asked'], visited: 'b' });
  expect(sitesInMemory([...sites, site('new', null, { isOwned: true })], 1, NOW)).toMatchObject({ visited: 'new' });
  expect(sitesInMemory([site('asked', 1), site('a', null, minutesAgo(14))], 1, NOW)).toMatchObject({ visited: null });
  expect(sitesInMemory([site('asked', 1), site('of another', null)], 1, NOW)).toMatchObject({ visited: null });
});
