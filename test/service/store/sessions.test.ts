import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { ensureTenant } from '../../../src/store/principals.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const NOW = 1_700_000_000;

let stores: TestDatabase;
let elsewhere: Database;
beforeAll(async () => {
  stores = await createTestDatabase();
  const name = pg.escapeIdentifier(new URL(stores.url).pathname.slice(1));
  await stores.database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET timezone TO 'Pacific/Auckland'`);
  await stores.database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET datestyle TO 'German'`);
  elsewhere = openDatabase(stores.url, 2);
});
afterAll(async () => {
  await elsewhere.close();
  await stores.drop();
});

test('a moment is the same one for Prisma and in statements, wherever the server takes itself to be', async () => {
  const id = await ensureTenant(elsewhere.db, 'lab', NOW);
  const [written] = await elsewhere.db.$queryRaw<{ at: number }[]>`
    SELECT extract(epoch FROM "createdAt")::float8 AS "at" FROM "Tenant" WHERE "id" = ${id}::uuid`;
  expect(written?.at).toBe(NOW);
  await elsewhere.db.$executeRaw`
    UPDATE "Tenant" SET "createdAt" = to_timestamp(${NOW + 60}::float8) WHERE "id" = ${id}::uuid`;
  const read = await elsewhere.db.tenant.findUniqueOrThrow({ where: { id } });
  expect(read.createdAt.getTime() / 1000).toBe(NOW + 60);
});
