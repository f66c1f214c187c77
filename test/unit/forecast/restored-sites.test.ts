import { expect, test } from 'vitest';
import type { FollowedState } from '../../../src/forecast/followed-site.ts';
import { RestoredSites } from '../../../src/forecast/restored-sites.ts';
import type { RestoredSite, WantedCheckpoint } from '../../../src/forecast/site-checkpoints.ts';

type Restored = RestoredSite<FollowedState>;
const WANTED: WantedCheckpoint = { recordsEpoch: 1, livedAfter: null, newerThan: 3 };

/** Sites whose checkpoints are there when it is said. */
function sitesOf() {
  const begun: { end(restored: Restored | null): void; fail(error: Error): void }[] = [];
  const restore = () =>
    new Promise<Restored | null>((resolve, reject) => {
      begun.push({ end: resolve, fail: reject });
    });
  const checkpoints = { restore: restore as never };
  return {
    begun,
    sites: new RestoredSites(
      checkpoints,
      () => ({}) as FollowedState,
      () => false,
    ),
  };
}

function checkpoint(number: number, recordsEpoch = 1): Restored {
  return { fresh: {}, row: { number, recordsEpoch } } as Restored;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a newer checkpoint is restored once beside what is asked, and taken once', async () => {
  const { begun, sites } = sitesOf();
  expect(sites.onceThere('a', WANTED)).toBeNull();
  expect(sites.onceThere('a', WANTED)).toBeNull();
  expect(begun).toHaveLength(1);
  const newer = checkpoint(4);
  begun[0]?.end(newer);
  await settled();
  expect(sites.onceThere('a', WANTED)).toBe(newer);
  expect(sites.onceThere('a', WANTED)).toBeNull();
  expect(begun).toHaveLength(2);
});

test('where there is none it is looked for again', async () => {
  const { begun, sites } = sitesOf();
  sites.onceThere('a', WANTED);
  begun[0]?.end(null);
  await settled();
  expect(sites.onceThere('a', WANTED)).toBeNull();
  expect(begun).toHaveLength(2);
});

test.each([
  ['of records that were taken away meanwhile', checkpoint(4, 0)],
  ['that is no newer than what there is by now', checkpoint(3)],
])('one %s is not taken', async (_, restored) => {
  const { begun, sites } = sitesOf();
  sites.onceThere('a', WANTED);
  begun[0]?.end(restored);
  await settled();
  expect(sites.onceThere('a', WANTED)).toBeNull();
});

test('one site at a time is restored beside, and the next once that is over', async () => {
  const { begun, sites } = sitesOf();
  sites.onceThere('a', WANTED);
  sites.onceThere('b', WANTED);
  expect(begun).toHaveLength(1);
  const newer = checkpoint(4);
  begun[0]?.end(newer);
  await settled();
  expect(sites.onceThere('b', WANTED)).toBeNull();
  expect(begun).toHaveLength(2);
  expect(sites.onceThere('a', WANTED)).toBe(newer);
});

test('a site that is forgotten, or restored at once, leaves nothing behind', async () => {
  const { begun, sites } = sitesOf();
  sites.onceThere('a', WANTED);
  sites.forget('a');
  begun[0]?.end(checkpoint(4));
  await settled();
  expect(sites.onceThere('a', WANTED)).toBeNull();
  void sites.now('a', WANTED);
  begun[1]?.end(checkpoint(5));
  await settled();
  expect(sites.onceThere('a', WANTED)).toBeNull();
  expect(begun).toHaveLength(4);
});

test('a database that is away is asked again', async () => {
  const { begun, sites } = sitesOf();
  sites.onceThere('a', WANTED);
  begun[0]?.fail(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  await settled();
  expect(sites.onceThere('a', WANTED)).toBeNull();
  expect(begun).toHaveLength(2);
});
