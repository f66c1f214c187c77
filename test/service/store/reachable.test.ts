import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReachable, openDatabase } from '../../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

test('a database that only answers, as one that stands by for another, is not ready', async () => {
  const standby = new URL(stores.url);
  standby.searchParams.set('options', '-c default_transaction_read_only=on');
  const readOnly = openDatabase(standby.href.replaceAll('+', '%20'), 1);
  try {
    expect(await readOnly.db.$queryRaw`SELECT 1 AS "one"`).toEqual([{ one: 1 }]);
    expect(await isReachable(readOnly, 10_000)).toBe(false);
    expect(await isReachable(stores.database, 10_000)).toBe(true);
  } finally {
    await readOnly.close();
  }
});
