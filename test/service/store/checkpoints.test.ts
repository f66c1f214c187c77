import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideMove } from '../../../src/domain/ownership.ts';
import { listCheckpoints, readPacked, saveCheckpoint } from '../../../src/store/checkpoints.ts';
import {
  awaitsLearning,
  giveUpOwnerships,
  lookAtOwners,
  moveOwnerships,
  noteCost,
} from '../../../src/store/site-owners.ts';
import { createSite } from '../../../src/store/sites.ts';
import { beSilent } from '../be-silent.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const [FIRST, SECOND] = [11, 22];
let stores: TestDatabase;
let siteId: string;
beforeAll(async () => {
  stores = await createTestDatabase();
  siteId = (await createSite(stores.database.db, { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 })).id;
});
afterAll(() => stores.drop());

/** One look of a process that would own every site. @returns the epoch under which it owns the site, if it does */
async function look(me: number, preferred = me): Promise<number | undefined> {
  const { db } = stores.database;
  const { now, sites } = await lookAtOwners(db, { threadId: me, learnsLast: false });
  const moves = sites.map((seen) => ({ seen, move: decideMove(seen, me, preferred, now) }));
  return (await moveOwnerships(db, me, moves)).get(siteId);
}

const save = (epoch: number, byte: number) =>
  saveCheckpoint(
    stores.database.db,
    siteId,
    { epoch, revision: byte, recordsEpoch: 0, livedRevision: 0 },
    Uint8Array.of(byte),
  );

test('one process owns a site; another takes it when that one is silent, and what the first writes then is refused', async () => {
  const { db } = stores.database;
  expect(await look(FIRST)).toBe(1);
  expect(await look(SECOND)).toBeUndefined();
  expect(await look(FIRST)).toBe(1);
  expect(await save(1, 10)).toBe(1);
  expect(await listCheckpoints(db, siteId)).toMatchObject([{ number: 1, epoch: 1, revision: 10 }]);
  await noteCost(db, siteId, 1, 40);
  expect((await lookAtOwners(db, { threadId: FIRST, learnsLast: false })).sites).toMatchObject([
    { siteId, ownerId: FIRST, costSeconds: 40 },
  ]);

  await beSilent(db, FIRST);
  expect(await look(SECOND)).toBe(2);
  expect(await save(1, 11)).toBeNull();
  expect(await save(2, 20)).toBe(2);
  expect(await look(FIRST)).toBeUndefined();
  expect((await listCheckpoints(db, siteId))[0]).toMatchObject({ number: 2, epoch: 2, revision: 20 });
});

test('what was decided on a row that has become another one is not done', async () => {
  const { db } = stores.database;
  await beSilent(db, SECOND);
  const { sites } = await lookAtOwners(db, { threadId: FIRST, learnsLast: false });
  const moves = sites.map((seen) => ({ seen, move: 'take' as const }));
  expect((await moveOwnerships(db, FIRST, moves)).get(siteId)).toBe(3);
  expect((await moveOwnerships(db, SECOND, moves)).size).toBe(0);
  expect(await look(FIRST, SECOND), 'given to the one who should own it').toBeUndefined();
  expect(await look(SECOND)).toBe(4);
  await giveUpOwnerships(db, SECOND);
  expect(await save(4, 40)).toBeNull();
  expect(await look(FIRST)).toBe(5);
});

test('who said that it lives before the clock was put back counts no longer than any other', async () => {
  const { db } = stores.database;
  const AHEAD = 33;
  await db.forecastingProcess.create({
    data: { id: AHEAD, until: new Date(Date.now() + 3_600_000), learnsLast: false },
  });
  const { now, threads } = await lookAtOwners(db, { threadId: FIRST, learnsLast: false });
  expect(threads.map(({ threadId }) => threadId)).toContain(AHEAD);
  const { until } = await db.forecastingProcess.findUniqueOrThrow({ where: { id: AHEAD } });
  expect(until.getTime() / 1000 - now, 'stored in milliseconds').toBeLessThan(6.01);
  await db.forecastingProcess.delete({ where: { id: AHEAD } });
});

test('a site waits to be learned from when it has an owner until its first checkpoint', async () => {
  const { db } = stores.database;
  expect(await awaitsLearning(db, siteId)).toBe(false);
  const other = await createSite(db, { name: 'new', adapter: 'simulator', configuration: {}, now: 0 });
  expect(await awaitsLearning(db, other.id), 'nobody is to').toBe(false);
  await db.siteOwner.create({ data: { siteId: other.id, ownerId: FIRST, epoch: 1, until: new Date() } });
  expect(await awaitsLearning(db, other.id)).toBe(true);
  await db.siteOwner.delete({ where: { siteId: other.id } });
  await db.site.delete({ where: { id: other.id } });
});

test('the newest few checkpoints are kept, and come back as they were', async () => {
  const { db } = stores.database;
  for (let byte = 100; byte < 105; byte++) await save(5, byte);
  expect(await listCheckpoints(db, siteId)).toMatchObject([
    { number: 7, epoch: 5, revision: 104 },
    { number: 6 },
    { number: 5 },
  ]);
  expect(await readPacked(stores.database, siteId, 7)).toEqual(Buffer.of(104));
  expect(await readPacked(stores.database, siteId, 4)).toBeNull();
  expect(await db.checkpoint.count({ where: { siteId } })).toBe(3);
});
