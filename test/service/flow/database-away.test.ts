import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { isDatabaseAway, isDatabaseGone, untilDatabaseIsThere } from '../../../src/store/database-away.ts';
import { createTestDatabase } from '../database.ts';
import { databaseBehindDoor } from '../database-behind-door.ts';

test('a database that is cut off fails a transaction with an error that says so, and is waited for', async (context) => {
  const door = await databaseBehindDoor(context);
  const database = openDatabase(door.url, 2);
  context.onTestFinished(() => database.close());
  const ask = () => database.transaction((tx) => tx.site.count());
  expect(await ask()).toBe(0);
  door.turn('CUT');
  const error: unknown = await ask().catch((error: unknown) => error);
  expect(isDatabaseAway(error), String(error)).toBe(true);
  const away: Error[] = [];
  const waiting = untilDatabaseIsThere(ask, 30_000, (error) => {
    away.push(error);
    door.turn('OPEN');
  });
  expect(await waiting).toBe(0);
  expect(away.map(isDatabaseAway)).toContain(true);
});

test('a database that was dropped is gone, and not away, by whatever way it is asked', async ({ onTestFinished }) => {
  const stores = await createTestDatabase();
  await stores.drop();
  const database = openDatabase(stores.url, 2);
  onTestFinished(() => database.close());
  const asks = [() => database.db.site.count(), () => database.db.$queryRaw`SELECT 1`];
  for (const ask of asks) {
    const error: unknown = await ask().catch((error: unknown) => error);
    expect([isDatabaseGone(error), isDatabaseAway(error)], String(error)).toEqual([true, false]);
  }
});
