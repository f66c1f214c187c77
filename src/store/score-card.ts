import type { Db } from './database.ts';
import { eachSum, readTalliedUntil, untalliedDays } from './score-tallies.ts';
import { sharedRead } from './shared-read.ts';

/** How a predictor of a quantity has done at a site so far. */
export interface PredictorScore {
  readonly siteId: string;
  readonly quantity: string;
  readonly predictor: string;
  /** Scored forecasts, of jobs or of slots of time. */
  readonly count: number;
  /** Mean absolute error of the point forecasts; null for a predictor that made only promises, and in other units. */
  readonly meanAbsoluteErrorSeconds: number | null;
  /** The same of load. */
  readonly meanAbsoluteErrorProcessors: number | null;
  /** The same of bytes read and written. */
  readonly meanAbsoluteErrorBytes: number | null;
  /** Share of outcomes that did not exceed the 95 % bound. */
  readonly coverage95: number | null;
  readonly promises: number;
  readonly promisedProbability: number | null;
  readonly keptShare: number | null;
  /** Mean squared difference of promised probability and outcome. */
  readonly brierScore: number | null;
  /** Promises to finish by a deadline that were put to the test. */
  readonly deadlines: number;
  /** Mean probability that was promised of them. */
  readonly promisedDeadlineProbability: number | null;
  readonly deadlineKeptShare: number | null;
  /** Jobs that completed within an automatic walltime that it advised, or were killed by it. */
  readonly walltimes: number;
  /** Mean risk that was accepted of them. */
  readonly acceptedRisk: number | null;
  readonly killedShare: number | null;
}

/** Quantities whose unit is the byte. */
const IN_BYTES = ['read-bytes', 'written-bytes'];

/** Quantities whose unit is the processor. */
const IN_PROCESSORS = ['load'];

/** The score card per site, quantity and predictor, waits first; every site when none is named. */
export const readScoreCard: (db: Db, siteId: string | null) => Promise<readonly PredictorScore[]> = sharedRead(
  (siteId) => siteId ?? 'all',
  addUp,
);

async function addUp(db: Db, siteId: string | null): Promise<PredictorScore[]> {
  const talliedUntil = await readTalliedUntil(db);
  const columns = eachSum((name) => name);
  return db.$queryRaw<PredictorScore[]>`
    WITH sums AS (
      SELECT "siteId", "quantity", "predictor", ${columns} FROM "ScoreTotal"
       WHERE ${siteId}::uuid IS NULL OR "siteId" = ${siteId}::uuid
       UNION ALL
      SELECT "siteId", "quantity", "predictor", ${columns} FROM (${untalliedDays(talliedUntil, siteId)}) untallied),
    totals AS (
      SELECT "siteId", "quantity", "predictor", ${eachSum((name) => `sum(${name})::float8 AS ${name}`)}
        FROM sums GROUP BY "siteId", "quantity", "predictor"),
    errors AS (SELECT *, "absoluteError" / NULLIF("points", 0) AS "meanAbsoluteError" FROM totals)
    SELECT "siteId"::text AS "siteId", "quantity", "predictor", "scored"::int AS "count",
           CASE WHEN "quantity" <> ALL(${[...IN_BYTES, ...IN_PROCESSORS]}) THEN "meanAbsoluteError" END
             AS "meanAbsoluteErrorSeconds",
           CASE WHEN "quantity" = ANY(${IN_PROCESSORS}) THEN "meanAbsoluteError" END AS "meanAbsoluteErrorProcessors",
           CASE WHEN "quantity" = ANY(${IN_BYTES}) THEN "meanAbsoluteError" END AS "meanAbsoluteErrorBytes",
           "withinBound" / NULLIF("bounds", 0) AS "coverage95",
           "promises"::int AS "promises", "promised" / NULLIF("promises", 0) AS "promisedProbability",
           "kept" / NULLIF("promises", 0) AS "keptShare", "squaredError" / NULLIF("promises", 0) AS "brierScore",
           "deadlines"::int AS "deadlines",
           "promisedDeadlines" / NULLIF("deadlines", 0) AS "promisedDeadlineProbability",
           "keptDeadlines" / NULLIF("deadlines", 0) AS "deadlineKeptShare",
           "walltimes"::int AS "walltimes", "acceptedRisk" / NULLIF("walltimes", 0) AS "acceptedRisk",
           "killed" / NULLIF("walltimes", 0) AS "killedShare"
      FROM errors ORDER BY "siteId", "quantity" <> 'wait', "quantity", "predictor"`;
}
