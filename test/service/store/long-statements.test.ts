import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { isDatabaseAway } from '../../../src/store/database-away.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

function open(mostStatementSeconds: number | null) {
  return openDatabase(stores.url, 1, undefined, null, mostStatementSeconds);
}

test('a statement that lasts too long is ended, and its connection is free again', async ({ onTestFinished }) => {
  const database = open(0.2);
  onTestFinished(() => database.close());
  const error: unknown = await database.db.$queryRaw`SELECT 1 FROM pg_sleep(600)`.catch((error: unknown) => error);
  expect(isDatabaseAway(error), String(error)).toBe(true);
  expect(await database.db.$queryRaw`SELECT 1 AS "one"`).toEqual([{ one: 1 }]);
});

test.each([
  ['nothing is ended unless told', null, '0', '0'],
  ['whoever runs PostgreSQL may let it have less', 30, '5s', '5s'],
  ['and no more', 30, '1h', '30s'],
])('%s', async (_what, mostStatementSeconds, ofDatabase, found) => {
  const name = new URL(stores.url).pathname.slice(1);
  await stores.database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET statement_timeout = '${ofDatabase}'`);
  const database = open(mostStatementSeconds);
  expect(await database.db.$queryRaw`SHOW statement_timeout`).toEqual([{ statement_timeout: found }]);
  await database.close();
});
