import type { EpochSeconds } from '../domain/clock.ts';
import type { Db } from './database.ts';
import { eachSum, readTalliedUntil, untalliedDays } from './score-tallies.ts';

const DAY_SECONDS = 86_400;

/** How often something came out within what was stated of it, of one predictor of one quantity at a site. */
export interface ReliabilityPoint {
  /** For example `wait`; `promise` of promises. */
  readonly quantity: string;
  readonly predictor: string;
  /** The probability that was stated; of promises the mean over those that are alike. */
  readonly stated: number;
  /** The share that came out so. */
  readonly observed: number;
  /** How many that rests on. */
  readonly count: number;
}

/** The scores of one day of UTC, of one predictor of one quantity at a site. */
export interface ScoreDay {
  readonly startsAt: EpochSeconds;
  readonly quantity: string;
  readonly predictor: string;
  /** Point forecasts that were scored. */
  readonly count: number;
  /** Mean absolute error of them, in the quantity's unit; null for none. */
  readonly meanAbsoluteError: number | null;
  readonly coverage95: number | null;
  readonly promises: number;
  readonly promisedProbability: number | null;
  readonly keptShare: number | null;
}

/** The newest scores of each predictor that a reliability rests on, at most. */
export const MOST_SCORES = 500;

/** Percentiles at which forecasts are compared with what happened. */
const LEVELS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95];

/** Edges of the spans in which promises are alike. */
const PROMISE_EDGES = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98];

/**
 * How reliable the newest forecasts and promises at a site have been: of forecasts at each percentile that they state,
 * of promises in spans of what was promised.
 */
export async function readReliability(db: Db, siteId: string): Promise<ReliabilityPoint[]> {
  return db.$queryRaw<ReliabilityPoint[]>`
    WITH RECURSIVE pairs AS (
      (SELECT "quantity", "predictor" FROM "Score" WHERE "siteId" = ${siteId}::uuid ORDER BY 1, 2 LIMIT 1)
       UNION ALL
      SELECT n."quantity", n."predictor" FROM pairs p, LATERAL (
             SELECT s."quantity", s."predictor" FROM "Score" s WHERE s."siteId" = ${siteId}::uuid
                AND (s."quantity", s."predictor") > (p."quantity", p."predictor") ORDER BY 1, 2 LIMIT 1) n),
    points AS (
      SELECT s.*, f."percentiles" FROM pairs p, LATERAL (
             SELECT "quantity", "predictor", "forecastId", "actual" FROM "Score"
              WHERE "siteId" = ${siteId}::uuid AND "quantity" = p."quantity" AND "predictor" = p."predictor"
                AND "metric" = 'POINT' ORDER BY "scoredAt" DESC LIMIT ${MOST_SCORES}) s
        JOIN (SELECT "id", "quantileSeconds" AS "percentiles" FROM "Forecast") f ON f."id" = s."forecastId"),
    promises AS (
      SELECT s.* FROM pairs p, LATERAL (
             SELECT "predictor", "predicted", "actual" FROM "Score"
              WHERE "siteId" = ${siteId}::uuid AND "quantity" = p."quantity" AND "predictor" = p."predictor"
                AND "metric" = 'PROMISE' ORDER BY "scoredAt" DESC LIMIT ${MOST_SCORES}) s)
    SELECT "quantity", "predictor", level / 100.0::float8 AS "stated",
           avg(("actual" <= "percentiles"[level])::int)::float8 AS "observed", count(*)::int AS "count"
      FROM points CROSS JOIN unnest(${LEVELS}::int[]) level WHERE cardinality("percentiles") >= level
     GROUP BY "quantity", "predictor", level
     UNION ALL
    SELECT 'promise', "predictor", avg("predicted")::float8, avg("actual")::float8, count(*)::int
      FROM promises GROUP BY "predictor", width_bucket("predicted", ${PROMISE_EDGES}::float8[])
     ORDER BY 1, 2, 3`;
}

/** The scores at a site day by day, from the day of UTC on that a moment is in: of single jobs and of slots of time. */
export async function listScoreDays(db: Db, siteId: string, sinceAt: EpochSeconds): Promise<ScoreDay[]> {
  const talliedUntil = await readTalliedUntil(db);
  const dayAt = sinceAt - (sinceAt % DAY_SECONDS);
  return db.$queryRaw<ScoreDay[]>`
    WITH days AS (
      SELECT "siteId", "startsAt", "quantity", "predictor", ${eachSum((name) => name)} FROM "ScoreDay"
       WHERE "siteId" = ${siteId}::uuid AND "startsAt" >= to_timestamp(${dayAt}::float8)
       UNION ALL
      SELECT * FROM (${untalliedDays(Math.max(talliedUntil, dayAt), siteId)}) untallied)
    SELECT extract(epoch FROM "startsAt")::float8 AS "startsAt", "quantity", "predictor", "points" AS "count",
           "absoluteError" / NULLIF("points", 0) AS "meanAbsoluteError",
           "withinBound"::float8 / NULLIF("bounds", 0) AS "coverage95", "promises",
           "promised" / NULLIF("promises", 0) AS "promisedProbability", "kept" / NULLIF("promises", 0) AS "keptShare"
      FROM days ORDER BY 1, 2, 3`;
}
