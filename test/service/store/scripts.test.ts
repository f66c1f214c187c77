import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExecution, findExecution } from '../../../src/store/executions.ts';
import { toDate } from '../../../src/store/moments.ts';
import { ensurePrincipal, ensureTenant } from '../../../src/store/principals.ts';
import { forgetScriptsBefore, keepScript, keepScripts, readScript, scriptHashOf } from '../../../src/store/scripts.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
let who: { tenantId: string; principalId: string };
beforeAll(async () => {
  stores = await createTestDatabase();
  const { db } = stores.database;
  const tenantId = await ensureTenant(db, 'physics', 0);
  who = { tenantId, principalId: await ensurePrincipal(db, tenantId, 'portal', 'GATEWAY') };
});
afterAll(() => stores.drop());

const WORK = { requestId: 'r', name: 'n', arguments: [], processors: 1, walltimeSeconds: 60, queue: null };

async function create(script: string): Promise<{ readonly id: string; readonly scriptHash: string }> {
  const request = { ...who, ...WORK, script, allowedSiteIds: [], deadlineAt: null, now: 1000 };
  const { id } = await stores.database.transaction((tx) => createExecution(tx, request, null));
  return { id, scriptHash: scriptHashOf(script) };
}

async function end(id: string, at: number | null): Promise<void> {
  const ended = { state: 'ENDED', outcome: 'COMPLETED', endedAt: toDate(at), updatedAt: toDate(5000) } as const;
  await stores.database.db.execution.update({ where: { id }, data: ended });
}

const texts = () => stores.database.db.scriptText.count();
const hashNow = async (id: string) => (await findExecution(stores.database.db, id))?.scriptHash;

test('a text is kept once, whoever runs it, as it was given', async () => {
  const script = '#!/bin/sh\n\u202eright to left\u0001\r\n\u{1F600}';
  const rows = await Promise.all(Array.from({ length: 5 }, () => create(script)));
  expect(new Set(rows.map(({ scriptHash }) => scriptHash))).toEqual(
    new Set([createHash('sha256').update(script).digest('hex')]),
  );
  expect(await texts()).toBe(1);
  expect(await readScript(stores.database.db, rows[0]?.scriptHash ?? null)).toBe(script);
  expect(await readScript(stores.database.db, null)).toBeNull();
});

test('a text goes with the last execution that needed it, some time after its end', async () => {
  const { database } = stores;
  const [old, recent, open, lost] = [await create('a'), await create('a'), await create('b'), await create('c')];
  await end(old.id, 1000);
  await end(recent.id, 3000);
  await end(lost.id, null);
  const before = await texts();
  expect(await forgetScriptsBefore(database, 2000, 10)).toBe(1);
  expect(await hashNow(old.id)).toBeNull();
  expect(await readScript(database.db, recent.scriptHash)).toBe('a');
  expect(await forgetScriptsBefore(database, 4000, 10)).toBe(1);
  expect(await readScript(database.db, recent.scriptHash)).toBeNull();
  expect(await readScript(database.db, open.scriptHash)).toBe('b');
  expect(await texts()).toBe(before - 1);
  expect(await forgetScriptsBefore(database, 6000, 1)).toBe(1);
  expect(await hashNow(lost.id)).toBeNull();
  expect(await forgetScriptsBefore(database, 6000, 10)).toBe(0);
});

test('a text that somebody is about to run is not deleted under them', async () => {
  const { database } = stores;
  const old = await create('shared');
  await end(old.id, 1000);
  let isKept = () => {};
  const kept = new Promise<void>((resolve) => {
    isKept = resolve;
  });
  const made = database.transaction(async (tx) => {
    await keepScript(tx, 'shared');
    isKept();
    await tx.$queryRaw`SELECT 1 FROM pg_sleep(0.2)`;
    return createExecution(
      tx,
      { ...who, ...WORK, script: 'shared', allowedSiteIds: [], deadlineAt: null, now: 1 },
      null,
    );
  });
  await kept;
  expect(await forgetScriptsBefore(database, 2000, 10)).toBe(1);
  expect(await readScript(database.db, (await hashNow((await made).id)) ?? null)).toBe('shared');
});

test('transactions that keep the same new texts in other orders do not wait for each other for ever', async () => {
  const { database } = stores;
  const many = Array.from({ length: 20 }, (_, n) => `new text ${n}`);
  const orders = [many, [...many].reverse(), many, [...many].reverse()];
  await Promise.all(orders.map((order) => database.transaction((tx) => keepScripts(tx, order))));
  expect(await database.db.scriptText.count({ where: { text: { in: many } } })).toBe(20);
});

const MIGRATION = '../../../prisma/migrations/20261123100100_script_texts/migration.sql';

test('the migration moves the texts of executions that are there', async () => {
  const older = await createTestDatabase();
  try {
    const client = new pg.Client({ connectionString: older.url });
    await client.connect();
    await client.query(`
      ALTER TABLE "Execution" DROP COLUMN "scriptHash", ADD COLUMN "script" TEXT NOT NULL;
      DROP TABLE "ScriptText";
      DROP INDEX "Submission_siteId_nativeId_idx";
      INSERT INTO "Execution" ("id", "tenantId", "principalId", "requestId", "state", "name", "script", "arguments",
             "processors", "walltimeSeconds", "allowedSiteIds", "createdAt", "updatedAt")
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'r', 'ENDED', 'n', 'text \u00e4 ' || n % 3, '{}', 1, 60,
             '{}', now(), now() FROM generate_series(1, 9) n`);
    await client.query(readFileSync(fileURLToPath(new URL(MIGRATION, import.meta.url)), 'utf8'));
    await client.end();
    expect(await older.database.db.scriptText.count()).toBe(3);
    const rows = await older.database.db.execution.findMany({ include: { script: true } });
    expect(rows.map(({ script }) => script?.text).sort()).toEqual(
      [0, 1, 2].flatMap((n) => Array(3).fill(`text \u00e4 ${n}`)),
    );
    for (const { scriptHash, script } of rows) expect(scriptHashOf(script?.text ?? '')).toBe(scriptHash);
  } finally {
    await older.drop();
  }
});
