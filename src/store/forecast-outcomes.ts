import type { EpochSeconds } from '../domain/clock.ts';
import type { Db } from './database.ts';

/** What became of a wait that was forecast. */
export interface ForecastOutcomeRow {
  readonly submittedAt: EpochSeconds;
  /** Null when the job had not started by the time it was promised to run. */
  readonly waitSeconds: number | null;
  /** From its submission to the time it was promised to run; null for a job without a promise. */
  readonly leadSeconds: number | null;
  /** As they were forecast, as far as they are finite. */
  readonly quantileSeconds: readonly number[];
}

/**
 * How a predictor's forecasts of waits at a site came out lately: at most `most` scores of a kind in each of the last
 * `spans` spans of time, so that a busy site costs no more than a quiet one. Legs of a co-allocation that cancelled one
 * of its legs are left out, for what that one would have come to is not known, and who is cancelled depends on who was
 * early.
 */
export async function listForecastOutcomes(
  db: Db,
  { siteId, predictor }: { siteId: string; predictor: string },
  { now, spanSeconds, spans, most }: { now: EpochSeconds; spanSeconds: number; spans: number; most: number },
): Promise<ForecastOutcomeRow[]> {
  return db.$queryRaw<ForecastOutcomeRow[]>`
    SELECT extract(epoch FROM e."nativeSubmittedAt")::float8 AS "submittedAt",
           extract(epoch FROM e."startedAt" - e."nativeSubmittedAt")::float8 AS "waitSeconds",
           extract(epoch FROM r."startAt" - e."nativeSubmittedAt")::float8 AS "leadSeconds", f."quantileSeconds"
      FROM generate_series(0, ${spans}::int - 1) AS span("back")
     CROSS JOIN (VALUES ('POINT'), ('PROMISE')) AS kind("metric")
     CROSS JOIN LATERAL (
           SELECT "executionId", "forecastId" FROM "Score"
            WHERE "siteId" = ${siteId}::uuid AND "quantity" = 'wait' AND "predictor" = ${predictor} AND "metric" = kind."metric"
              AND "scoredAt" <= to_timestamp(${now}::float8 - span."back" * ${spanSeconds}::float8)
              AND "scoredAt" > to_timestamp(${now}::float8 - (span."back" + 1) * ${spanSeconds}::float8)
            ORDER BY "scoredAt" DESC LIMIT ${most}::int) AS s
      JOIN "Forecast" f ON f."id" = s."forecastId"
      JOIN "Execution" e ON e."id" = s."executionId"
      LEFT JOIN "Reservation" r ON r."executionId" = e."id"
     WHERE e."nativeSubmittedAt" IS NOT NULL
       AND (kind."metric" = 'POINT') = (e."startedAt" IS NOT NULL)
       AND (r."id" IS NULL OR r."state" IN ('KEPT', 'MISSED'))
       AND NOT EXISTS (SELECT FROM "Reservation" other
                        WHERE other."coAllocationId" = r."coAllocationId" AND other."state" = 'CANCELLED')`;
}
