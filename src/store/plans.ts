import type { QuantityForecast } from '../domain/forecast.ts';
import type { Submission } from '../domain/job.ts';
import type { Objective } from '../domain/objective.ts';
import type { Candidate, Plan } from '../domain/plan.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { ANY, gathered } from './gathered.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { newId } from './new-id.ts';

/** A candidate as it is kept. Those of plans made before plans chose among options lack what is the option's own. */
export type StoredCandidate = Omit<Candidate, OptionsOwn> & Partial<Pick<Candidate, OptionsOwn>>;
type OptionsOwn = 'processors' | 'walltimeSeconds' | 'submitAt' | 'charge';

/**
 * A stored plan. `candidates` are the pure planner's, forecasts without their quantiles (those are in the forecast
 * rows).
 */
export interface PlanRow {
  readonly id: string;
  readonly executionId: string;
  readonly revision: number;
  readonly madeAt: number;
  readonly chosenSiteId: string | null;
  readonly submitAt: number;
  /** Null for promises, and in plans made before it was kept. */
  readonly objective: Objective | null;
  readonly candidates: readonly StoredCandidate[];
}

/** A stored forecast. */
export type ForecastRow = WithMoments<Prisma.ForecastGetPayload<Record<string, never>>>;

/** A forecast of any quantity with the question it answers. */
export interface MadeForecast {
  readonly siteId: string;
  readonly query: Submission;
  readonly forecast: QuantityForecast;
  /** Whether it is of the chosen way to run the job, which alone is scored; so unless told. */
  readonly isOfChosen?: boolean;
}

/** Keeps a plan and the forecasts it rests on exactly as they were made. */
export async function savePlan(
  tx: Db,
  executionId: string,
  plan: Plan,
  forecasts: readonly MadeForecast[],
): Promise<string> {
  const id = newId();
  const row = {
    id,
    executionId,
    madeAt: toDate(plan.madeAt),
    chosenSiteId: plan.chosen?.siteId ?? null,
    submitAt: toDate(plan.submitAt),
    objective: plan.objective ?? null,
    candidates: storable(plan.candidates),
  };
  await writePlan(tx, {
    row,
    forecasts: forecasts.map((made) => ({ id: newId(), planId: id, ...forecastColumns(made) })),
  });
  return id;
}

interface WrittenPlan {
  readonly row: { readonly id: string };
  readonly forecasts: readonly object[];
}

/** Each as the next revision of its execution's plan. */
const writePlan = gathered(ANY, async (tx, written: readonly WrittenPlan[]) => {
  const plans = JSON.stringify(written.map(({ row }) => row));
  const forecasts = JSON.stringify(written.flatMap((one) => one.forecasts));
  await tx.$executeRaw`
    WITH plans AS (
      INSERT INTO "Plan" ("id", "executionId", "revision", "madeAt", "chosenSiteId", "submitAt", "objective", "candidates")
      SELECT "id", "executionId", (SELECT count(*) FROM "Plan" before WHERE before."executionId" = told."executionId"),
             "madeAt", "chosenSiteId", "submitAt", "objective", "candidates"
        FROM jsonb_populate_recordset(NULL::"Plan", ${plans}::jsonb) told)
    INSERT INTO "Forecast" SELECT * FROM jsonb_populate_recordset(NULL::"Forecast", ${forecasts}::jsonb)`;
  return written.map(() => undefined);
});

/** By their names in the table. */
function forecastColumns({ siteId, query, forecast, isOfChosen = true }: MadeForecast) {
  return {
    siteId,
    isOfChosen,
    quantity: forecast.quantity,
    predictor: forecast.predictor,
    version: forecast.version,
    madeAt: toDate(forecast.madeAt),
    observedAt: toDate(forecast.observedAt),
    queue: query.queue,
    processors: query.processors,
    walltimeSeconds: query.requestedWalltimeSeconds,
    submitAt: toDate(query.submitAt),
    sampleSize: forecast.sampleSize,
    pointSeconds: Number.isFinite(forecast.point) ? forecast.point : null,
    quantileSeconds: forecast.percentiles.filter(Number.isFinite),
  };
}

/** The newest plan of each execution that has one. */
export async function findNewestPlans(db: Db, executionIds: readonly string[]): Promise<PlanRow[]> {
  const rows = await db.plan.findMany({
    where: { executionId: { in: [...executionIds] } },
    orderBy: [{ executionId: 'asc' }, { revision: 'desc' }],
    distinct: ['executionId'],
  });
  return rows.map(({ candidates, ...row }) => ({
    ...withMoments(row),
    candidates: candidates as unknown as readonly StoredCandidate[],
  }));
}

/** The forecasts of an execution's newest plan for the site it went to, of the way in which it was run there. */
export async function findForecastsAt(db: Db, executionId: string, siteId: string): Promise<ForecastRow[]> {
  const newest = await db.plan.findFirst({ where: { executionId }, orderBy: { revision: 'desc' } });
  if (!newest) return [];
  return withMoments(await db.forecast.findMany({ where: { planId: newest.id, siteId, isOfChosen: true } }));
}

/** What is scored of a stored forecast. */
export interface ForecastToScore extends Pick<ForecastRow, 'id' | 'quantity' | 'predictor' | 'point'> {
  /** Its 95th percentile; null where that was not finite. */
  readonly bound95: number | null;
  /**
   * Probability, in whole percent, that it is more than the seconds of the execution's walltime; null unless that is an
   * automatic one.
   */
  readonly beyondWalltime: number | null;
}

/** The same as far as it is scored. */
export function findForecastsToScore(db: Db, executionId: string, siteId: string): Promise<ForecastToScore[]> {
  return findToScore(db, { executionId, siteId });
}

const findToScore = gathered(
  ANY,
  async (db, ended: readonly { readonly executionId: string; readonly siteId: string }[]) => {
    const rows = await db.$queryRaw<(ForecastToScore & { number: number })[]>`
      SELECT e."number"::int AS "number", f."id"::text AS "id", f."quantity", f."predictor", f."pointSeconds" AS "point",
             f."quantileSeconds"[95] AS "bound95",
             CASE WHEN x."walltimeRisk" IS NOT NULL THEN
               (100 - (SELECT count(*) FROM unnest(f."quantileSeconds") q WHERE q <= x."walltimeSeconds"))::float8 / 100
             END AS "beyondWalltime"
        FROM unnest(${ended.map(({ executionId }) => executionId)}::uuid[], ${ended.map(({ siteId }) => siteId)}::uuid[])
             WITH ORDINALITY AS e("executionId", "siteId", "number")
        JOIN "Execution" x ON x."id" = e."executionId"
       CROSS JOIN LATERAL (
         SELECT p."id" FROM "Plan" p WHERE p."executionId" = e."executionId" ORDER BY p."revision" DESC LIMIT 1) newest
        JOIN "Forecast" f ON f."planId" = newest."id" AND f."siteId" = e."siteId" AND f."isOfChosen"`;
    const found = ended.map((): ForecastToScore[] => []);
    for (const { number, ...forecast } of rows) found[number - 1]?.push(forecast);
    return found;
  },
);

/** A candidate's quantiles live in its forecast row. */
function storable(candidates: Plan['candidates']) {
  return candidates.map((candidate) => ({
    ...candidate,
    forecast: candidate.forecast && { ...candidate.forecast, quantileSeconds: [] },
    runtime: candidate.runtime && { ...candidate.runtime, quantileSeconds: [] },
  }));
}

/** The forecasts that several plans rest on, for batched reads. */
export async function findForecastsOf(db: Db, planIds: readonly string[]): Promise<ForecastRow[]> {
  return withMoments(await db.forecast.findMany({ where: { planId: { in: [...planIds] } } }));
}
