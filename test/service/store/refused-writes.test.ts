import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReachable } from '../../../src/store/database.ts';
import { isDatabaseAway } from '../../../src/store/database-away.ts';
import { RefusedWrites } from '../../../src/store/refused-writes.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

/** What PostgreSQL says with that SQLSTATE, to a statement of ours and to one of Prisma's. */
async function errorsOf(sqlState: string): Promise<unknown[]> {
  const { db } = stores.database;
  await db.$executeRawUnsafe(`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'it will not' USING ERRCODE = '${sqlState}'; END $$`);
  await db.$executeRaw`CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON "Tenant" EXECUTE FUNCTION refuse()`;
  const createdAt = new Date(0);
  const tries = [
    db.$executeRaw`INSERT INTO "Tenant" ("id", "name", "createdAt") VALUES (gen_random_uuid(), 'lab', now())`,
    db.tenant.create({ data: { name: 'lab', createdAt } }),
    stores.database.transaction((tx) => tx.tenant.create({ data: { name: 'lab', createdAt } })),
  ];
  return Promise.all(tries.map((one) => one.catch((error: unknown) => error)));
}

test.each([
  ['no file or worker is left', '53000', true],
  ['its disk is full', '53100', true],
  ['it is out of memory', '53200', true],
  ['its disk fails', '58030', true],
  ['a limit of its settings is reached', '53400', false],
  ['a statement is too complex', '54001', false],
  ['a statement was cut off', '57014', true],
])('that %s, by %s, means that it is away: %s', async (_what, sqlState, isAway) => {
  const errors = await errorsOf(sqlState);
  expect(errors.map(isDatabaseAway), errors.map(String).join('\n')).toEqual([isAway, isAway, isAway]);
  const [raw] = errors as [Error];
  expect(isDatabaseAway(new Error(raw.message)), 'told by another thread').toBe(isAway);
});

test('once a statement found no room it is tried whether there is some again, which leaves nothing', async () => {
  const { database, statements } = stores;
  const tries = () => new Map(statements.entries()).get('SELECT repeat') ?? 0;
  expect(await isReachable(database, 10_000)).toBe(true);
  await errorsOf('53100');
  const before = tries();
  for (let ask = 0; ask < 2; ask++) expect(await isReachable(database, 10_000)).toBe(true);
  expect(tries()).toBe(before + 1);
  expect(await database.db.$queryRaw`SELECT to_regclass('"Room"')::text AS "left"`).toEqual([{ left: null }]);
});

test('a database that takes no writes is not ready, though it answers', async () => {
  expect(await isReachable({ ...stores.database, takesWrites: async () => false }, 10_000)).toBe(false);
});

test('who asks often makes one try and no more for a while, and only lack of something goes on refusing', async () => {
  const [full] = await errorsOf('53100');
  const [limited] = await errorsOf('53400');
  let answer = full;
  let tries = 0;
  const writes = new RefusedWrites(async () => {
    tries++;
    throw answer;
  });
  expect(await writes.areOver()).toBe(true);
  writes.note(limited);
  expect(await writes.areOver()).toBe(true);
  writes.note(full);
  expect(await Promise.all([writes.areOver(), writes.areOver()])).toEqual([false, false]);
  expect(await writes.areOver()).toBe(false);
  expect(tries).toBe(1);
  answer = limited;
  await expect.poll(() => writes.areOver(), { timeout: 20_000 }).toBe(true);
  expect(tries).toBe(2);
});
