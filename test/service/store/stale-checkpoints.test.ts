import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import { saveCheckpoint } from '../../../src/store/checkpoints.ts';
import { saveRecords } from '../../../src/store/records.ts';
import { listSiteProgress } from '../../../src/store/site-progress.ts';
import { createSite } from '../../../src/store/sites.ts';
import { listStale } from '../../../src/store/stale-checkpoints.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
let siteId: string;
beforeAll(async () => {
  stores = await createTestDatabase();
  const { db } = stores.database;
  siteId = (await createSite(db, { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 })).id;
  await db.siteOwner.create({ data: { siteId, ownerId: 1, epoch: 1, until: new Date() } });
});
afterAll(() => stores.drop());

let told = 0;
async function tell(count: number): Promise<void> {
  const records = Array.from({ length: count }, (): JobRecord => {
    const nativeId = String(++told);
    const job = { nativeId, user: 'u', queue: null, processors: 1 };
    return {
      ...job,
      requestedWalltimeSeconds: 60,
      submitAt: told,
      startAt: told,
      endAt: told + 9,
      outcome: 'COMPLETED',
    };
  });
  await stores.database.transaction((tx) => saveRecords(tx, siteId, records));
}

async function keep(): Promise<void> {
  const { db } = stores.database;
  const [progress] = await listSiteProgress(db);
  const about = { epoch: 1, revision: progress?.revision ?? 0, recordsEpoch: progress?.recordsEpoch ?? 0 };
  await saveCheckpoint(db, siteId, { ...about, livedRevision: 0 }, Uint8Array.of(1));
}

const isStale = async () => (await listStale(stores.database.db, [siteId])).has(siteId);

test('a site is stale without a checkpoint, and once 250 records have come since', async () => {
  expect(await isStale()).toBe(true);
  await tell(300);
  await keep();
  expect(await isStale()).toBe(false);
  await tell(249);
  expect(await isStale()).toBe(false);
  await tell(1);
  expect(await isStale()).toBe(true);
  await keep();
  expect(await isStale()).toBe(false);
  expect(await listStale(stores.database.db, [])).toEqual(new Set());
});

test('a day after its checkpoint it is stale if it was observed since, and whenever records were taken away', async () => {
  const { db } = stores.database;
  const hoursAgo = (hours: number) => new Date(Date.now() - 3_600_000 * hours);
  await db.checkpoint.updateMany({ where: { siteId }, data: { savedAt: hoursAgo(25) } });
  expect(await isStale(), 'nothing was seen since').toBe(false);
  await db.site.update({ where: { id: siteId }, data: { observedAt: hoursAgo(1) } });
  expect(await isStale()).toBe(true);
  await keep();
  expect(await isStale()).toBe(false);
  await db.site.update({ where: { id: siteId }, data: { recordsEpoch: { increment: 1 } } });
  expect(await isStale()).toBe(true);
});
