import type { EpochSeconds } from '../domain/clock.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database, Db } from './database.ts';

const DAY_SECONDS = 86_400;
/** After a day's end: a score becomes visible a little later than its moment. */
const LAG_SECONDS = 3600;

/** What is kept of the scores of a day, of one predictor of one quantity at a site: counts and sums. */
const SUMS = [
  'scored',
  'points',
  'absoluteError',
  'bounds',
  'withinBound',
  'promises',
  'promised',
  'kept',
  'squaredError',
  'deadlines',
  'promisedDeadlines',
  'keptDeadlines',
  'walltimes',
  'acceptedRisk',
  'killed',
] as const;

/** A list of the sums, each as `write` says. */
export function eachSum(write: (name: string) => string): Prisma.Sql {
  return Prisma.raw(SUMS.map((name) => write(`"${name}"`)).join(', '));
}

/** Up to when scores are summed up: the end of a day; 0 when none is. */
export async function readTalliedUntil(db: Db): Promise<EpochSeconds> {
  const [row] = await db.$queryRaw<{ untilAt: number }[]>`
    SELECT COALESCE(extract(epoch FROM max("untilAt")), 0)::float8 AS "untilAt" FROM "ScoreTotal"`;
  return row?.untilAt ?? 0;
}

/**
 * A query for the days that are not summed up yet, in the columns of `ScoreDay`: of every site, or of one.
 * @param talliedUntil as read just before, so that PostgreSQL uses the index. The query asks again by itself: a day
 * that was summed up in between is not counted twice.
 */
export function untalliedDays(talliedUntil: EpochSeconds, siteId: string | null): Prisma.Sql {
  const among = siteId === null ? Prisma.empty : Prisma.sql`AND "siteId" = ${siteId}::uuid`;
  return daysOf(Prisma.sql`"scoredAt" >= to_timestamp(${talliedUntil}::float8) ${among}
    AND "scoredAt" >= (SELECT COALESCE(max("untilAt"), '-infinity') FROM "ScoreTotal")`);
}

/**
 * Sums up the scores of the next day of UTC that is over and has any, of every site. One worker does it at a time.
 * @returns whether there was such a day
 */
export function tallyNextDay(database: Database, now: EpochSeconds): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [{ isFree } = { isFree: false }] = await tx.$queryRaw<{ isFree: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended('score tallies', 0)) AS "isFree"`;
    if (!isFree) return false;
    const dayAt = await nextDayAt(tx, await readTalliedUntil(tx));
    if (dayAt === null || dayAt + DAY_SECONDS + LAG_SECONDS > now) return false;
    await tallyDay(tx, dayAt);
    return true;
  });
}

/** When the first day begins that has scores and is not summed up. */
async function nextDayAt(tx: Db, talliedUntil: EpochSeconds): Promise<EpochSeconds | null> {
  const [row] = await tx.$queryRaw<{ scoredAt: number | null }[]>`
    SELECT extract(epoch FROM LEAST(
             (SELECT min("scoredAt") FROM "Score" WHERE "scoredAt" >= to_timestamp(${talliedUntil}::float8)),
             (SELECT min("scoredAt") FROM "SlotForecast" WHERE "scoredAt" >= to_timestamp(${talliedUntil}::float8))
           ))::float8 AS "scoredAt"`;
  return row?.scoredAt == null ? null : row.scoredAt - (row.scoredAt % DAY_SECONDS);
}

async function tallyDay(tx: Db, dayAt: EpochSeconds): Promise<void> {
  const until = dayAt + DAY_SECONDS;
  const columns = eachSum((name) => name);
  const day = daysOf(
    Prisma.sql`"scoredAt" >= to_timestamp(${dayAt}::float8) AND "scoredAt" < to_timestamp(${until}::float8)`,
  );
  await tx.$executeRaw`
    WITH day AS (${day}), kept AS (
      INSERT INTO "ScoreDay" ("siteId", "startsAt", "quantity", "predictor", ${columns}) SELECT * FROM day)
    INSERT INTO "ScoreTotal" AS total ("siteId", "quantity", "predictor", "untilAt", ${columns})
    SELECT "siteId", "quantity", "predictor", to_timestamp(${until}::float8), ${columns} FROM day
        ON CONFLICT ("siteId", "quantity", "predictor") DO UPDATE
       SET "untilAt" = excluded."untilAt", ${eachSum((name) => `${name} = total.${name} + excluded.${name}`)}`;
}

/** The sums of scores and of scored slots of time, day by day, in the columns of `ScoreDay`. */
function daysOf(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT "siteId", date_trunc('day', "scoredAt", 'UTC') AS "startsAt", "quantity", "predictor",
           (count(DISTINCT "executionId") FILTER (WHERE "metric" IN ('POINT', 'BOUND95')))::int AS "scored",
           (count(*) FILTER (WHERE "metric" = 'POINT'))::int AS "points",
           COALESCE(sum(abs("predicted" - "actual")) FILTER (WHERE "metric" = 'POINT'), 0) AS "absoluteError",
           (count(*) FILTER (WHERE "metric" = 'BOUND95'))::int AS "bounds",
           (count(*) FILTER (WHERE "metric" = 'BOUND95' AND "actual" <= "predicted"))::int AS "withinBound",
           (count(*) FILTER (WHERE "metric" = 'PROMISE'))::int AS "promises",
           COALESCE(sum("predicted") FILTER (WHERE "metric" = 'PROMISE'), 0) AS "promised",
           COALESCE(sum("actual") FILTER (WHERE "metric" = 'PROMISE'), 0) AS "kept",
           COALESCE(sum(power("predicted" - "actual", 2)) FILTER (WHERE "metric" = 'PROMISE'), 0) AS "squaredError",
           (count(*) FILTER (WHERE "metric" = 'DEADLINE_KEPT'))::int AS "deadlines",
           COALESCE(sum("predicted") FILTER (WHERE "metric" = 'DEADLINE_KEPT'), 0) AS "promisedDeadlines",
           COALESCE(sum("actual") FILTER (WHERE "metric" = 'DEADLINE_KEPT'), 0) AS "keptDeadlines",
           (count(*) FILTER (WHERE "metric" = 'KILLED'))::int AS "walltimes",
           COALESCE(sum("predicted") FILTER (WHERE "metric" = 'KILLED'), 0) AS "acceptedRisk",
           COALESCE(sum("actual") FILTER (WHERE "metric" = 'KILLED'), 0) AS "killed"
      FROM "Score" WHERE ${condition} GROUP BY 1, 2, 3, 4
     UNION ALL
    SELECT "siteId", date_trunc('day', "scoredAt", 'UTC'), "quantity", "predictor",
           count(*)::int, count(*)::int, sum(abs("point" - "actual")), count("bound95")::int,
           (count(*) FILTER (WHERE "actual" <= "bound95"))::int, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
      FROM "SlotForecast" WHERE ${condition} GROUP BY 1, 2, 3, 4`;
}

/** Ends the retention of up to `limit` days that began before a moment; returns how many went. The total keeps them. */
export async function deleteScoreDaysBefore(db: Db, before: EpochSeconds, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "ScoreDay" WHERE ctid IN (
      SELECT ctid FROM "ScoreDay" WHERE "startsAt" < to_timestamp(${before}::float8) LIMIT ${limit}::int
         FOR UPDATE SKIP LOCKED)`;
}
