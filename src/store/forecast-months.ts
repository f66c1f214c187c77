import type { Database, Db } from './database.ts';

/** What was done to the months that forecasts are kept by. */
export interface KeptMonths {
  /** Names of the tables that were made and of those that went. */
  readonly made: readonly string[];
  readonly dropped: readonly string[];
}

/** A table that holds the forecasts of some time, by the first moment after it, in milliseconds since 1970. */
interface Month {
  readonly name: string;
  readonly untilMilliseconds: number;
}

/** Besides the current one. A worker that makes them is away for less. */
const MONTHS_AHEAD = 2;
const MOST_MADE_AT_ONCE = 24;
/** Whoever plans meanwhile is not held up for longer. */
const LOCK_TIMEOUT = '3s';

/**
 * Makes the months to come and drops those that have been kept long enough, whole. Months are of the wall clock, by
 * which ids are made, and in UTC. Any number of workers may do it at once; one of them does it.
 * @param keptMonths how many whole months before the current one stay; null for all
 */
export async function keepForecastMonths(database: Database, keptMonths: number | null): Promise<KeptMonths> {
  const { db } = database;
  const [{ now } = { now: Number.NaN }] = await db.$queryRaw<{ now: number }[]>`
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS "now"`;
  const months = await listMonths(db);
  const wanted = wantedMonths(months.at(-1)?.untilMilliseconds ?? startOfMonth(now, 0), now);
  const oldest = keptMonths === null ? Number.NEGATIVE_INFINITY : startOfMonth(now, -keptMonths);
  const outlived = months.filter(({ untilMilliseconds }) => untilMilliseconds <= oldest);
  const made: string[] = [];
  const dropped: string[] = [];
  for (const month of wanted) if (await makeMonth(database, month)) made.push(nameOf(month));
  for (const { name } of outlived) if (await dropMonth(database, name)) dropped.push(name);
  return { made, dropped };
}

/** The tables in the order of their times; not that of what belongs to none of them. */
export async function listMonths(db: Db): Promise<Month[]> {
  const rows = await db.$queryRaw<{ name: string; bound: string }[]>`
    SELECT c."relname" AS "name", pg_get_expr(c."relpartbound", c."oid") AS "bound"
      FROM pg_inherits i JOIN pg_class c ON c."oid" = i."inhrelid"
     WHERE i."inhparent" = '"Forecast"'::regclass`;
  return rows
    .flatMap(({ name, bound }) => {
      const [, until] = /TO \('([0-9a-f-]{36})'\)$/.exec(bound) ?? [];
      return until ? { name, untilMilliseconds: Number.parseInt(until.replaceAll('-', '').slice(0, 12), 16) } : [];
    })
    .sort((one, other) => one.untilMilliseconds - other.untilMilliseconds);
}

/** The first moments of the months that are missing. */
function wantedMonths(from: number, now: number): number[] {
  const wanted: number[] = [];
  for (let month = from; month <= startOfMonth(now, MONTHS_AHEAD); month = startOfMonth(month, 1)) wanted.push(month);
  return wanted.slice(0, MOST_MADE_AT_ONCE);
}

async function makeMonth(database: Database, from: number): Promise<boolean> {
  const name = nameOf(from);
  const [first, last] = [firstIdOf(from), firstIdOf(startOfMonth(from, 1))];
  return alone(database, async (tx) => {
    if ((await listMonths(tx)).some((month) => month.name === name)) return false;
    await tx.$executeRawUnsafe(`CREATE TABLE "${name}" (LIKE "Forecast" INCLUDING DEFAULTS)`);
    await tx.$executeRawUnsafe(`LOCK TABLE "Forecast_default" IN ACCESS EXCLUSIVE MODE`);
    const early = `DELETE FROM "Forecast_default" WHERE "id" >= '${first}' AND "id" < '${last}' RETURNING *`;
    await tx.$executeRawUnsafe(`WITH early AS (${early}) INSERT INTO "${name}" SELECT * FROM early`);
    const range = `FOR VALUES FROM ('${first}') TO ('${last}')`;
    await tx.$executeRawUnsafe(`ALTER TABLE "Forecast" ATTACH PARTITION "${name}" ${range}`);
    return true;
  });
}

async function dropMonth(database: Database, name: string): Promise<boolean> {
  return alone(database, async (tx) => {
    if (!(await listMonths(tx)).some((month) => month.name === name)) return false;
    await tx.$executeRawUnsafe(`DROP TABLE "${name}"`);
    return true;
  });
}

/** One transaction that changes the months at a time, which gives up soon where it would have to wait. */
function alone(database: Database, work: (tx: Db) => Promise<boolean>): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [{ isFree } = { isFree: false }] = await tx.$queryRaw<{ isFree: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended('forecast months', 0)) AS "isFree"`;
    if (!isFree) return false;
    await tx.$executeRawUnsafe(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    return work(tx);
  });
}

/** The first moment of a month, so many after that of a moment, in UTC. */
function startOfMonth(milliseconds: number, months: number): number {
  const at = new Date(milliseconds);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months);
}

function nameOf(from: number): string {
  return `Forecast_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`;
}

/** The least id of version 7 that is made at a moment or later. */
function firstIdOf(milliseconds: number): string {
  const digits = milliseconds.toString(16).padStart(12, '0').padEnd(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
