import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyBytes, literal } from '../../../src/store/copied-bytes.ts';
import { openPool } from '../../../src/store/database-pool.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  stores = await createTestDatabase();
  pool = openPool({ connectionString: stores.database.url, max: 1 }, () => undefined);
});

afterAll(async () => {
  await pool.end();
  await stores.drop();
});

test('bytes come as they are, however many, and one connection goes on being used', async () => {
  const megabyte = await copyBytes(pool, "SELECT decode(repeat('00ff0a5c', 262144), 'hex')");
  expect(megabyte?.length).toBe(1 << 20);
  const words = new Uint32Array(Uint8Array.from(megabyte ?? []).buffer);
  expect(new Set(words)).toEqual(new Set([0x5c0aff00]));
  expect(await copyBytes(pool, "SELECT ''::bytea")).toEqual(Buffer.alloc(0));
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('nothing comes of no row and of no value', async () => {
  expect(await copyBytes(pool, "SELECT ''::bytea WHERE false")).toBeNull();
  expect(await copyBytes(pool, 'SELECT NULL::bytea')).toBeNull();
});

test('what is put into a statement stays a value', async () => {
  const odd = 'a\'; DROP TABLE "Site"; -- \\x';
  expect(Buffer.from((await copyBytes(pool, `SELECT convert_to(${literal(odd)}, 'UTF8')`)) ?? []).toString()).toBe(odd);
});

test('a statement that fails, and a server that goes, are told and leave the pool usable', async () => {
  await expect(copyBytes(pool, 'SELECT nothing')).rejects.toThrow('column "nothing" does not exist');
  const sleeping = copyBytes(pool, 'SELECT pg_sleep(60)::text::bytea');
  const killed = expect(sleeping).rejects.toThrow();
  const other = new pg.Client({ connectionString: stores.database.url });
  await other.connect();
  const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%pg_sleep%'";
  await expect.poll(async () => (await other.query(end)).rowCount).toBe(1);
  await killed;
  await other.end();
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
