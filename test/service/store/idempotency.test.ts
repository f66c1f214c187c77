import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import {
  beginIdempotentCall,
  deleteExpiredIdempotencyKeys,
  finishIdempotentCall,
  type IdempotentCall,
} from '../../../src/store/idempotency.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

const tenantId = randomUUID();
const callOf = (key: string): IdempotentCall => {
  return { tenantId, key, mutation: 'submitJob', bodyHash: 'body', callId: randomUUID() };
};
const anotherProcess = (): Database => openDatabase(stores.url, 2);

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = performance.now() + 20_000; !(await condition()); ) {
    if (performance.now() > giveUpAt) throw new Error('it did not happen within 20 s');
  }
}

test('a key whose process is gone is taken over at once, and that process cannot finish its call any more', async () => {
  const { database } = stores;
  const doomed = anotherProcess();
  const call = callOf('orphan');
  expect(await beginIdempotentCall(doomed, call)).toBeNull();
  await expect(beginIdempotentCall(database, callOf('orphan'))).rejects.toMatchObject({ code: 'IN_FLIGHT' });
  await doomed.presence.close();
  const heir = callOf('orphan');
  await until(async () => (await beginIdempotentCall(database, heir).catch(() => 'in flight')) === null);
  await expect(finishIdempotentCall(doomed.db, call, { a: 1 })).rejects.toMatchObject({ code: 'IN_FLIGHT' });
  await finishIdempotentCall(database.db, heir, { a: 2 });
  expect(await beginIdempotentCall(database, callOf('orphan'))).toEqual({ a: 2 });
  await doomed.close();
});

test('answers are kept for 30 days and then go in batches', async () => {
  const { database } = stores;
  const { db } = database;
  for (const key of ['old-1', 'old-2', 'old-3', 'new']) {
    const call = callOf(key);
    await beginIdempotentCall(database, call);
    await finishIdempotentCall(db, call, { key });
  }
  const daysLeft = async (key: string) => {
    const row = await db.idempotencyKey.findUniqueOrThrow({ where: { tenantId_key: { tenantId, key } } });
    return (row.expiresAt.getTime() - Date.now()) / 86_400_000;
  };
  expect(await daysLeft('new')).toBeGreaterThan(29.9);
  await db.idempotencyKey.updateMany({ where: { key: { startsWith: 'old' } }, data: { expiresAt: new Date(0) } });
  expect(await deleteExpiredIdempotencyKeys(db, 2)).toBe(2);
  expect(await deleteExpiredIdempotencyKeys(db, 2)).toBe(1);
  expect(await beginIdempotentCall(database, callOf('new'))).toEqual({ key: 'new' });
});
