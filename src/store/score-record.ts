import type { EpochSeconds } from '../domain/clock.ts';
import type { Db } from './database.ts';

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

/** The scores at a site day by day from a moment on, the quantities of single jobs and those of slots of time. */
export async function listScoreDays(db: Db, siteId: string, sinceAt: EpochSeconds): Promise<ScoreDay[]> {
  return db.$queryRaw<ScoreDay[]>`
    SELECT extract(epoch FROM date_trunc('day', "scoredAt", 'UTC'))::float8 AS "startsAt", "quantity", "predictor",
           (count(*) FILTER (WHERE "metric" = 'POINT'))::int AS "count",
           (avg(abs("predicted" - "actual")) FILTER (WHERE "metric" = 'POINT'))::float8 AS "meanAbsoluteError",
           (avg(("actual" <= "predicted")::int) FILTER (WHERE "metric" = 'BOUND95'))::float8 AS "coverage95",
           (count(*) FILTER (WHERE "metric" = 'PROMISE'))::int AS "promises",
           (avg("predicted") FILTER (WHERE "metric" = 'PROMISE'))::float8 AS "promisedProbability",
           (avg("actual") FILTER (WHERE "metric" = 'PROMISE'))::float8 AS "keptShare"
      FROM "Score" WHERE "siteId" = ${siteId}::uuid AND "scoredAt" >= to_timestamp(${sinceAt}::float8)
     GROUP BY 1, "quantity", "predictor"
     UNION ALL
    SELECT extract(epoch FROM date_trunc('day', "scoredAt", 'UTC'))::float8, "quantity", "predictor", count(*)::int,
           avg(abs("point" - "actual"))::float8, avg(("actual" <= "bound95")::int)::float8, 0, NULL, NULL
      FROM "SlotForecast" WHERE "siteId" = ${siteId}::uuid AND "scoredAt" >= to_timestamp(${sinceAt}::float8)
     GROUP BY 1, "quantity", "predictor"
     ORDER BY 1, 2, 3`;
}
