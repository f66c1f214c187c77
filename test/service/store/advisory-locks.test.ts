import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockAssignments, shareAssignments } from '../../../src/store/on-the-way.ts';
import { saveRecords } from '../../../src/store/records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const ENDED = {
  ...{ nativeId: '1', user: null, queue: null, processors: 1, requestedWalltimeSeconds: 60 },
  ...{ submitAt: 1000, startAt: 2000, endAt: 3000, outcome: 'COMPLETED' as const },
};

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

test('jobs are planned at a site while its history is written, and elsewhere', async () => {
  const { transaction, sharedTransaction, db } = stores.database;
  const [here, elsewhere] = [await newSite(db), await newSite(db)];
  const planned: string[] = [];
  await transaction(async (tx) => {
    await saveRecords(tx, here, [ENDED]);
    await sharedTransaction((other) => shareAssignments(other, elsewhere));
    planned.push('elsewhere');
    await Promise.all([here, elsewhere].map((site) => sharedTransaction((other) => shareAssignments(other, site))));
    planned.push('both');
    await transaction((other) => lockAssignments(other, here));
    planned.push('alone');
  });
  expect(planned).toEqual(['elsewhere', 'both', 'alone']);
});
