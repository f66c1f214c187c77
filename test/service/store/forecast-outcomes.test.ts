import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dependences } from '../../../src/forecast/dependences.ts';
import { listForecastOutcomes } from '../../../src/store/forecast-outcomes.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';
import { savePastJobs } from '../past-jobs.ts';

const NOW = 1_780_000_000;
const DAY = 86_400;
const LATELY = { now: NOW, spanSeconds: DAY, spans: 10, most: 3 };

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

async function outcomesAt(siteId: string) {
  const rows = await listForecastOutcomes(stores.database.db, { siteId, predictor: 'wait/qbets' }, LATELY);
  return rows.sort((a, b) => a.submittedAt - b.submittedAt);
}

test('the waits of jobs that started, and of promised ones that never did the time they had', async () => {
  const siteId = await newSite(stores.database.db);
  const at = NOW - DAY / 2;
  await savePastJobs(stores.database.db, [
    { siteId, submittedAt: at, waitSeconds: 700 },
    { siteId, submittedAt: at + 1, waitSeconds: 800, promise: { startAt: at + 1000, state: 'KEPT' } },
    { siteId, submittedAt: at + 2, waitSeconds: null, promise: { startAt: at + 902, state: 'MISSED' } },
    { siteId, submittedAt: at + 3, waitSeconds: null, promise: { startAt: at + 1000, state: 'CANCELLED' } },
    { siteId, submittedAt: at + 4, waitSeconds: 10, promise: { startAt: at + 1000, state: 'CANCELLED' } },
    { siteId, submittedAt: at + 5, waitSeconds: 700, predictor: 'baseline/mean' },
    { siteId: await newSite(stores.database.db), submittedAt: at + 6, waitSeconds: 700 },
  ]);
  expect(await outcomesAt(siteId)).toMatchObject([
    { submittedAt: at, waitSeconds: 700, leadSeconds: null },
    { submittedAt: at + 1, waitSeconds: 800, leadSeconds: 999 },
    { submittedAt: at + 2, waitSeconds: null, leadSeconds: 900 },
  ]);
});

test('legs whose group cancelled one of them tell nothing', async () => {
  const siteId = await newSite(stores.database.db);
  const at = NOW - DAY / 2;
  const { db } = stores.database;
  const [decided, whole] = await Promise.all(
    [1, 2].map(() =>
      db.coAllocation.create({
        data: {
          tenantId: randomUUID(),
          requestId: 'past',
          rule: {},
          ifLegMissed: 'CANCEL_ALL',
          startAt: new Date(0),
          probability: 0.9,
          promisedProbability: 0.9,
          state: 'SUCCEEDED',
          createdAt: new Date(0),
        },
      }),
    ),
  );
  const promised = (state: 'KEPT' | 'CANCELLED', coAllocationId = '') => ({
    promise: { startAt: at + 1000, state, coAllocationId },
  });
  await savePastJobs(db, [
    { siteId, submittedAt: at, waitSeconds: 10, ...promised('KEPT', decided?.id) },
    { siteId, submittedAt: at + 1, waitSeconds: null, ...promised('CANCELLED', decided?.id) },
    { siteId, submittedAt: at + 2, waitSeconds: 10, ...promised('KEPT', whole?.id) },
    { siteId, submittedAt: at + 3, waitSeconds: 10, ...promised('KEPT', whole?.id) },
  ]);
  expect((await outcomesAt(siteId)).map(({ submittedAt }) => submittedAt)).toEqual([at + 2, at + 3]);
});

test('the newest of every span of time, and none from before the last', async () => {
  const siteId = await newSite(stores.database.db);
  const jobs = Array.from({ length: 120 }, (_, i) => ({
    siteId,
    submittedAt: NOW - 1000 - i * (DAY / 10),
    waitSeconds: 500,
  }));
  await savePastJobs(stores.database.db, jobs);
  const outcomes = await outcomesAt(siteId);
  expect(outcomes).toHaveLength(10 * LATELY.most);
  expect(outcomes.at(-1)?.submittedAt).toBe(NOW - 1000);
  expect(Math.min(...outcomes.map(({ submittedAt }) => submittedAt))).toBeGreaterThan(NOW - 10 * DAY);
});

test('what is read of a site is good for a while, and forgotten when it could not be read', async () => {
  const [a, b] = [await newSite(stores.database.db), await newSite(stores.database.db)];
  const both = (spans: number) =>
    [a, b].flatMap((siteId, n) =>
      Array.from({ length: spans }, (_, i) => ({
        siteId,
        submittedAt: NOW - 1000 - i * 6 * 3600,
        waitSeconds: ((i * 37 + n) % 99) * 100,
      })),
    );
  let reads = 0;
  let fails = true;
  const watched = {
    ...stores.database,
    get db() {
      reads++;
      if (fails) throw new Error('the database is away');
      return stores.database.db;
    },
  };
  await savePastJobs(stores.database.db, both(100));
  const dependences = new Dependences(watched, 'wait/qbets');
  await expect(dependences.among([a, b], NOW)).rejects.toThrow('the database is away');
  fails = false;
  reads = 0;
  const dependenceOf = await dependences.among([a, b], NOW);
  const measured = dependenceOf(a, b);
  expect(measured.pairs).toBe(100);
  expect(measured.correlation).toBeGreaterThan(0.8);
  expect(dependenceOf(a, b)).toBe(measured);
  expect((await dependences.among([b, a], NOW))(a, b)).toBe(measured);
  expect(reads).toBe(2);
});
