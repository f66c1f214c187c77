import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listJobsOnTheWay } from '../../../src/store/on-the-way.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const NOW = 1_780_000_000;

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

async function hold(siteId: string, name: string, submitAt: number, createdAt = NOW - 100): Promise<void> {
  const nobody = randomUUID();
  await stores.database.db.execution.create({
    data: {
      ...{ siteId, name, state: 'HELD', tenantId: nobody, principalId: nobody, requestId: 'held', arguments: [] },
      ...{ processors: submitAt - NOW + 20, walltimeSeconds: 60, allowedSiteIds: [] },
      ...{ submitAt: date(submitAt), createdAt: date(createdAt), updatedAt: date(createdAt) },
    },
  });
}

const date = (at: number) => new Date(1000 * at);

test('each site at each moment has its own jobs, in the order in which they were asked for', async () => {
  const [east, west, idle] = [
    await newSite(stores.database.db),
    await newSite(stores.database.db),
    await newSite(stores.database.db),
  ];
  await hold(east, 'later', NOW + 10);
  await hold(east, 'second', NOW - 5, NOW - 40);
  await hold(east, 'first', NOW - 4, NOW - 50);
  await hold(west, 'elsewhere', NOW - 3);
  const asked = [
    { siteId: west, at: NOW },
    { siteId: east, at: NOW + 10 },
    { siteId: idle, at: NOW },
    { siteId: east, at: NOW },
    { siteId: west, at: NOW - 4 },
  ];
  const found = await listJobsOnTheWay(stores.database.db, asked);
  expect(found.map((jobs) => jobs.map(({ submitAt }) => submitAt - NOW))).toEqual([
    [-3],
    [10, -4, -5],
    [],
    [-4, -5],
    [],
  ]);
  expect(await listJobsOnTheWay(stores.database.db, [])).toEqual([]);
  expect(found[0]).toEqual([
    {
      ...{ executionId: expect.any(String), key: null, queue: null, processors: 17, requestedWalltimeSeconds: 60 },
      ...{ gpus: null, submitAt: NOW - 3 },
    },
  ]);
});
