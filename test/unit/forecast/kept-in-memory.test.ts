import { expect, test } from 'vitest';
import { sitesInMemory } from '../../../src/forecast/kept-in-memory.ts';

const NOW = 10_000_000;
const site = (
  siteId: string,
  askedAt: number | null,
  others: { isOwned?: boolean; isStale?: boolean; putAwayAt?: number | null; bytes?: number } = {},
) => ({
  ...{ siteId, askedAt, isOwned: false, isStale: true, putAwayAt: null, bytes: 0 },
  ...others,
});
const most = (sites: number, bytes = Number.POSITIVE_INFINITY) => ({ sites, bytes });

test('those are kept that were asked about last, and then those that are learned here', () => {
  const sites = [site('old', 1), site('own', null, { isOwned: true }), site('new', 3), site('newer', 4)];
  expect(sitesInMemory(sites, most(2), NOW)).toMatchObject({ kept: ['newer', 'new'] });
  expect(sitesInMemory(sites, most(10), NOW)).toEqual({ kept: ['newer', 'new', 'old', 'own'], visited: null });
});

test('what another one learns is not taken in before somebody asks about it', () => {
  const sites = [site('of another', null), site('own', null, { isOwned: true })];
  expect(sitesInMemory(sites, most(10), NOW)).toEqual({ kept: ['own'], visited: null });
});

test('no more is kept than there is memory for, but one in any case', () => {
  const sites = [site('large', 5, { bytes: 80 }), site('small', 4, { bytes: 10 }), site('other', 3, { bytes: 20 })];
  expect(sitesInMemory(sites, most(10, 100), NOW)).toMatchObject({ kept: ['large', 'small'] });
  expect(sitesInMemory(sites, most(10, 50), NOW)).toMatchObject({ kept: ['large'] });
  expect(sitesInMemory(sites, most(10, 110), NOW)).toMatchObject({ kept: ['large', 'small', 'other'] });
});

test('of those put away the owner takes one in at a time, the one that was left longest, and none too soon', () => {
  const minutesAgo = (minutes: number) => ({ isOwned: true, putAwayAt: NOW - 60_000 * minutes });
  const sites = [site('asked', 1), site('a', null, minutesAgo(20)), site('b', null, minutesAgo(25))];
  expect(sitesInMemory(sites, most(1), NOW)).toEqual({ kept: ['asked'], visited: 'b' });
  expect(sitesInMemory([...sites, site('new', null, { isOwned: true })], most(1), NOW)).toMatchObject({
    visited: 'new',
  });
  const visitedOf = (other: ReturnType<typeof site>) => sitesInMemory([site('asked', 1), other], most(1), NOW).visited;
  expect(visitedOf(site('a', null, minutesAgo(14)))).toBeNull();
  expect(visitedOf(site('of another', null))).toBeNull();
  expect(visitedOf(site('kept lately', null, { ...minutesAgo(99), isStale: false }))).toBeNull();
});

test('while a past is lived through none is taken in that may have to be learned, too', () => {
  const away = site('away', null, { isOwned: true, putAwayAt: 1 });
  const sites = [site('asked', 1), site('new', null, { isOwned: true }), away];
  expect(sitesInMemory(sites, most(1), NOW, true)).toMatchObject({ visited: 'away' });
  expect(sitesInMemory(sites, most(1), NOW, false)).toMatchObject({ visited: 'new' });
});
