import { afterEach, beforeEach, expect, test } from 'vitest';
import { MOST_THREADS, OWNERSHIP_SECONDS } from '../../../src/domain/ownership.ts';
import { OwnedSites } from '../../../src/forecast/owned-sites.ts';
import { createSite } from '../../../src/store/sites.ts';
import { beSilent } from '../be-silent.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const [API, WORKER] = [MOST_THREADS, 2 * MOST_THREADS];
let stores: TestDatabase;
let siteId: string;
beforeEach(async () => {
  stores = await createTestDatabase();
  siteId = (await createSite(stores.database.db, { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 })).id;
});
afterEach(() => stores.drop());

test('a process that answers people learns a site only while no worker is there', async () => {
  const { db } = stores.database;
  const api = new OwnedSites(db, { threadId: API, learnsLast: true });
  const worker = new OwnedSites(db, { threadId: WORKER, learnsLast: false });
  const look = async (one: OwnedSites) => {
    await one.look();
    return one.epochOf(siteId);
  };
  expect(await look(api), 'it is alone').toBe(1);
  expect(await look(api)).toBe(1);
  expect(await look(worker), 'it is owned still').toBeNull();
  expect(await look(api), 'given to the worker').toBeNull();
  expect(await look(worker)).toBe(2);
  expect(await look(api)).toBeNull();

  await beSilent(db, WORKER);
  expect(await look(api), 'the worker is gone').toBe(3);
  expect(await look(worker), 'it is back').toBeNull();
  expect(await look(api)).toBeNull();
  expect(await look(worker)).toBe(4);
});

test('it does not take what a worker that lives has left for long', async () => {
  const { db } = stores.database;
  const worker = new OwnedSites(db, { threadId: WORKER, learnsLast: false }, () => false);
  const api = new OwnedSites(db, { threadId: API, learnsLast: true });
  await worker.look();
  await db.$executeRaw`
    INSERT INTO "SiteOwner" ("siteId", "ownerId", "epoch", "until")
    VALUES (${siteId}::uuid, NULL, 1, now() - ${10 * OWNERSHIP_SECONDS} * interval '1 s')`;
  await api.look();
  expect(api.epochOf(siteId)).toBeNull();
});
