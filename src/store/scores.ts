import type { ChargeKind } from '../domain/charge.ts';
import type { EpochSeconds } from '../domain/clock.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { ANY, gathered } from './gathered.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { newId } from './new-id.ts';

/**
 * What is compared: the point of a forecast, its 95 % bound, a promise, one to finish by a deadline, or the risk of
 * being killed by an automatic walltime.
 */
export const SCORE_METRICS = ['POINT', 'BOUND95', 'PROMISE', 'DEADLINE_KEPT', 'KILLED'] as const;
export type ScoreMetric = (typeof SCORE_METRICS)[number];

/** A promise or forecast beside what happened. */
export interface NewScore {
  readonly siteId: string;
  readonly forecastId: string | null;
  readonly executionId: string;
  /** For example `wait`. */
  readonly quantity: string;
  readonly predictor: string;
  readonly metric: ScoreMetric;
  readonly predicted: number;
  readonly actual: number;
  readonly scoredAt: EpochSeconds;
}

/** Writes scores; one that exists already stays as it is, so a repeated step changes nothing. */
export async function saveScores(tx: Db, scores: readonly NewScore[]): Promise<void> {
  if (scores.length > 0) await writeScores(tx, scores);
}

const writeScores = gathered(ANY, async (tx, lists: readonly (readonly NewScore[])[]) => {
  const rows = lists.flat().map((score) => ({ id: newId(), ...score, scoredAt: toDate(score.scoredAt) }));
  await tx.$executeRaw`
    INSERT INTO "Score" SELECT * FROM jsonb_populate_recordset(NULL::"Score", ${JSON.stringify(rows)}::jsonb)
        ON CONFLICT DO NOTHING`;
  return lists.map(() => undefined);
});

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

/** The score card per site, quantity and predictor, waits first; every site when none is named. */
export async function tallyScores(db: Db, siteId: string | null): Promise<PredictorScore[]> {
  return db.$queryRaw<PredictorScore[]>`
    SELECT * FROM (
    SELECT "siteId"::text AS "siteId", "quantity", "predictor", (count(DISTINCT "executionId") FILTER (WHERE "metric" IN ('POINT', 'BOUND95')))::int AS "count",
           (avg(abs("predicted" - "actual")) FILTER (WHERE "metric" = 'POINT' AND NOT "quantity" = ANY(${IN_BYTES})))::float8 AS "meanAbsoluteErrorSeconds",
           NULL::float8 AS "meanAbsoluteErrorProcessors",
           (avg(abs("predicted" - "actual")) FILTER (WHERE "metric" = 'POINT' AND "quantity" = ANY(${IN_BYTES})))::float8 AS "meanAbsoluteErrorBytes",
           (avg(("actual" <= "predicted")::int) FILTER (WHERE "metric" = 'BOUND95'))::float8 AS "coverage95",
           (count(*) FILTER (WHERE "metric" = 'PROMISE'))::int AS "promises",
           (avg("predicted") FILTER (WHERE "metric" = 'PROMISE'))::float8 AS "promisedProbability",
           (avg("actual") FILTER (WHERE "metric" = 'PROMISE'))::float8 AS "keptShare",
           (avg(power("predicted" - "actual", 2)) FILTER (WHERE "metric" = 'PROMISE'))::float8 AS "brierScore",
           (count(*) FILTER (WHERE "metric" = 'DEADLINE_KEPT'))::int AS "deadlines",
           (avg("predicted") FILTER (WHERE "metric" = 'DEADLINE_KEPT'))::float8 AS "promisedDeadlineProbability",
           (avg("actual") FILTER (WHERE "metric" = 'DEADLINE_KEPT'))::float8 AS "deadlineKeptShare",
           (count(*) FILTER (WHERE "metric" = 'KILLED'))::int AS "walltimes",
           (avg("predicted") FILTER (WHERE "metric" = 'KILLED'))::float8 AS "acceptedRisk",
           (avg("actual") FILTER (WHERE "metric" = 'KILLED'))::float8 AS "killedShare"
      FROM "Score" WHERE ${siteId}::uuid IS NULL OR "siteId" = ${siteId}::uuid
     GROUP BY "siteId", "quantity", "predictor"
     UNION ALL
    SELECT "siteId"::text, "quantity", "predictor", count(*)::int, NULL, avg(abs("point" - "actual"))::float8, NULL,
           (avg(("actual" <= "bound95")::int))::float8, 0, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, NULL
      FROM "SlotForecast"
     WHERE "scoredAt" IS NOT NULL AND (${siteId}::uuid IS NULL OR "siteId" = ${siteId}::uuid)
     GROUP BY "siteId", "quantity", "predictor") AS scores
     ORDER BY "siteId", "quantity" <> 'wait', "quantity", "predictor"`;
}

/** Quantities whose unit is the byte. */
const IN_BYTES = ['read-bytes', 'written-bytes'];

/** One entry of the charge ledger. */
export type ChargeRow = WithMoments<Prisma.ChargeGetPayload<Record<string, never>>>;

/** Books what an execution cost; a repeated booking changes nothing. */
export async function saveCharges(
  tx: Db,
  executionId: string,
  charges: readonly { kind: ChargeKind; processorSeconds: number }[],
  chargedAt: EpochSeconds,
): Promise<void> {
  if (charges.length === 0) return;
  await writeCharges(
    tx,
    charges.map((charge) => ({ executionId, ...charge, chargedAt: toDate(chargedAt) })),
  );
}

const writeCharges = gathered(ANY, async (tx, lists: readonly (readonly Prisma.ChargeCreateManyInput[])[]) => {
  await tx.charge.createMany({ data: lists.flat(), skipDuplicates: true });
  return lists.map(() => undefined);
});

/** The charges of several executions, for batched reads. */
export async function findCharges(db: Db, executionIds: readonly string[]): Promise<ChargeRow[]> {
  return withMoments(await db.charge.findMany({ where: { executionId: { in: [...executionIds] } } }));
}
