import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, isReachable, openDatabase } from '../../../src/store/database.ts';
import { createToken, ensurePrincipal, ensureTenant, findPrincipalByToken } from '../../../src/store/principals.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const NOW = 1_700_000_000;

let stores: TestDatabase;
let readOnly: Database;
beforeAll(async () => {
  stores = await createTestDatabase();
  const standby = new URL(stores.url);
  standby.searchParams.set('options', '-c default_transaction_read_only=on');
  readOnly = openDatabase(standby.href.replaceAll('+', '%20'), 1);
});
afterAll(async () => {
  await readOnly.close();
  await stores.drop();
});

test('a database that only answers, as one that stands by for another, is not ready', async () => {
  expect(await readOnly.db.$queryRaw`SELECT 1 AS "one"`).toEqual([{ one: 1 }]);
  expect(await isReachable(readOnly, 10_000)).toBe(false);
  expect(await isReachable(stores.database, 10_000)).toBe(true);
});

test('it says whose a token is, although its use cannot be written down', async () => {
  const { db } = stores.database;
  const principalId = await ensurePrincipal(db, await ensureTenant(db, 'lab', NOW), 'ada', 'GATEWAY');
  const { token } = await createToken(db, { principalId, role: 'GATEWAY', now: NOW, expiresAt: null });
  expect(await findPrincipalByToken(readOnly.db, token, NOW)).toMatchObject({ id: principalId, name: 'ada' });
  expect((await db.token.findFirstOrThrow()).lastUsedAt).toBeNull();
  expect(await findPrincipalByToken(db, token, NOW)).toMatchObject({ id: principalId });
  expect((await db.token.findFirstOrThrow()).lastUsedAt).not.toBeNull();
});
