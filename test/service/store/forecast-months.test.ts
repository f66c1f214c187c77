import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../../src/main/project-root.ts';
import { keepForecastMonths, listMonths } from '../../../src/store/forecast-months.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const MIGRATION = '20261123235000_forecast_months';
const FORECAST = `"planId", "siteId", "predictor", "version", "madeAt", "observedAt", "processors", "submitAt", "sampleSize"`;

let stores: TestDatabase;
let client: pg.Client;
let siteId: string;
let planId: string;
beforeAll(async () => {
  stores = await createTestDatabase();
  client = new pg.Client({ connectionString: stores.url });
  await client.connect();
  ({ siteId, planId } = await addPlan(client));
});
afterAll(async () => {
  await client.end();
  await stores.drop();
});

/** A site and a plan of an execution at it, by what every version of the schema has. */
async function addPlan(into: pg.Client): Promise<{ siteId: string; planId: string }> {
  const [site, plan] = [randomUUID(), randomUUID()];
  await into.query(
    `INSERT INTO "Site" ("id", "name", "adapter", "configuration", "createdAt") VALUES ($1, $2, 'simulator', '{}', now())`,
    [site, site],
  );
  const execution = await addExecution(into);
  await into.query(
    `INSERT INTO "Plan" ("id", "executionId", "revision", "madeAt", "submitAt", "candidates")
     VALUES ($1, $2, 0, now(), now(), '[]')`,
    [plan, execution],
  );
  return { siteId: site, planId: plan };
}

async function addExecution(into: pg.Client): Promise<string> {
  const id = randomUUID();
  await into.query(
    `INSERT INTO "Execution" ("id", "tenantId", "principalId", "requestId", "state", "name", "arguments", "processors",
            "walltimeSeconds", "allowedSiteIds", "createdAt", "updatedAt")
     VALUES ($1, $1, $1, 'r', 'ENDED', 'job', '{}', 1, 60, '{}', now(), now())`,
    [id],
  );
  return id;
}

/** A forecast with an id that was made then, in milliseconds since 1970. */
async function addForecast(into: pg.Client, of: { siteId: string; planId: string }, at: number): Promise<string> {
  const id = `${at.toString(16).padStart(12, '0')}7abc8${randomUUID().replaceAll('-', '').slice(17)}`;
  const { rows } = await into.query(
    `INSERT INTO "Forecast" ("id", ${FORECAST}) VALUES ($1, $2, $3, 'p', '1', now(), now(), 1, now(), 5) RETURNING "id"`,
    [id, of.planId, of.siteId],
  );
  return rows[0].id;
}

const tableOf = async (into: pg.Client, id: string) =>
  (await into.query(`SELECT tableoid::regclass::text AS "name" FROM "Forecast" WHERE "id" = $1`, [id])).rows[0]?.name;

const monthsFromNow = (months: number, day = 15) => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day);
};
const nameOf = (at: number) => `"Forecast_${new Date(at).toISOString().slice(0, 7).replace('-', '_')}"`;

test('months are made ahead, with what came too early; those that were kept long enough go whole', async () => {
  const { database } = stores;
  const early = await addForecast(client, { siteId, planId }, monthsFromNow(2));
  const far = await addForecast(client, { siteId, planId }, monthsFromNow(9));
  const present = await addForecast(client, { siteId, planId }, monthsFromNow(0));
  expect([await tableOf(client, early), await tableOf(client, present)]).toEqual([
    '"Forecast_default"',
    '"Forecast_before"',
  ]);
  const made = await Promise.all([keepForecastMonths(database, null), keepForecastMonths(database, null)]);
  const left = await keepForecastMonths(database, null);
  expect([...made, left].flatMap((one) => one.made)).toEqual([nameOf(monthsFromNow(2)).replaceAll('"', '')]);
  expect(await tableOf(client, early)).toBe(nameOf(monthsFromNow(2)));
  expect(await tableOf(client, far)).toBe('"Forecast_default"');
  expect(await keepForecastMonths(database, 3)).toEqual({ made: [], dropped: [] });

  await client.query(`CREATE TABLE "Forecast_old" (LIKE "Forecast" INCLUDING DEFAULTS)`);
  await client.query(`DROP TABLE "Forecast_before"`);
  await client.query(
    `ALTER TABLE "Forecast" ATTACH PARTITION "Forecast_old" FOR VALUES FROM (MINVALUE) TO ('${idFrom(monthsFromNow(-3, 1))}')`,
  );
  const old = await addForecast(client, { siteId, planId }, monthsFromNow(-4));
  await client.query(
    `INSERT INTO "Score" ("id", "siteId", "forecastId", "executionId", "predictor", "metric", "predicted", "actual", "scoredAt")
     VALUES ($1, $2, $3, $4, 'p', 'POINT', 1, 1, now())`,
    [randomUUID(), siteId, old, randomUUID()],
  );
  expect(await keepForecastMonths(database, 4)).toMatchObject({ dropped: [] });
  expect(await keepForecastMonths(database, 3)).toMatchObject({ dropped: ['Forecast_old'] });
  expect(await tableOf(client, old)).toBeUndefined();
  expect((await client.query(`SELECT FROM "Score" WHERE "forecastId" = $1`, [old])).rowCount).toBe(1);
});

function idFrom(at: number): string {
  return at.toString(16).padStart(12, '0').padEnd(32, '0');
}

test('an installation with forecasts keeps them all', async () => {
  const name = `before_${randomUUID().slice(0, 8)}`;
  await client.query(`CREATE DATABASE "${name}"`);
  const url = new URL(stores.url);
  url.pathname = `/${name}`;
  const old = new pg.Client({ connectionString: url.href });
  await old.connect();
  try {
    const folder = join(projectRoot(), 'prisma/migrations');
    const sqlOf = (migration: string) => readFileSync(join(folder, migration, 'migration.sql'), 'utf8');
    const all = readdirSync(folder)
      .filter((entry) => /^\d/.test(entry))
      .sort();
    for (const migration of all.filter((one) => one < MIGRATION)) await old.query(sqlOf(migration));
    const of = await addPlan(old);
    const ids: string[] = [];
    for (const months of [-9, 0, 1, 2]) ids.push(await addForecast(old, of, monthsFromNow(months)));
    const before = (await old.query(`SELECT * FROM "Forecast" ORDER BY "id"`)).rows;
    await old.query(sqlOf(MIGRATION));
    expect((await old.query(`SELECT * FROM "Forecast" ORDER BY "id"`)).rows).toEqual(before);
    const tables: string[] = [];
    for (const id of ids) tables.push(await tableOf(old, id));
    expect(tables.map((table) => table.replaceAll('"', ''))).toEqual([
      ...['Forecast_before', 'Forecast_before', 'Forecast_before', 'Forecast_default'],
    ]);
  } finally {
    await old.end();
    await client.query(`DROP DATABASE "${name}"`);
  }
});

test("the months are none of the schema engine's business", async () => {
  await keepForecastMonths(stores.database, null);
  expect((await listMonths(stores.database.db)).length).toBeGreaterThan(0);
  const told = ['--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--script'];
  const script = execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'migrate', 'diff', ...told], {
    cwd: projectRoot(),
    env: { ...process.env, DATABASE_URL: stores.url },
    encoding: 'utf8',
  });
  // Of other tables it wants what its language cannot say.
  expect(script.split('\n').filter((line) => /"(Forecast|Score)/.test(line))).toEqual([]);
});
