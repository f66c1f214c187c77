import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listComingWork, listJobsOnTheWay } from '../../../src/store/on-the-way.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';
import { savePastJobs } from '../past-jobs.ts';

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

test('what is held back until later is told beside it, and until when a promise holds its processors', async () => {
  const { db } = stores.database;
  const [north, south] = [await newSite(db), await newSite(db)];
  const startAt = NOW + 3600;
  await hold(north, 'due', NOW - 1);
  await hold(north, 'later', NOW + 50);
  await savePastJobs(db, [
    { siteId: south, submittedAt: NOW, waitSeconds: 5, promise: { startAt, state: 'PROMISED' } },
  ]);
  await db.execution.updateMany({ where: { siteId: south }, data: { state: 'HELD', submitAt: date(NOW + 600) } });
  const [[atNorth, atSouth], [later]] = [
    await listComingWork(
      db,
      [north, south].map((siteId) => ({ siteId, at: NOW })),
    ),
    await listComingWork(db, [{ siteId: north, at: NOW + 50 }]),
  ];
  expect(atNorth?.onTheWay.map(({ submitAt }) => submitAt - NOW)).toEqual([-1]);
  expect(atNorth?.held).toEqual([
    {
      executionId: expect.any(String),
      processors: 70,
      walltimeSeconds: 60,
      submitAt: NOW + 50,
      holdUntilAt: null,
      createdAt: NOW - 100,
    },
  ]);
  expect(atSouth?.held).toMatchObject([{ submitAt: NOW + 600, holdUntilAt: startAt }]);
  expect([later?.onTheWay.length, later?.held.length]).toEqual([2, 0]);
});
