import type { QuantityForecast } from '../domain/forecast.ts';
import type { Submission } from '../domain/job.ts';
import type { Objective } from '../domain/objective.ts';
import type { Candidate, Plan } from '../domain/plan.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';

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
  const revision = await tx.plan.count({ where: { executionId } });
  const { id } = await tx.plan.create({
    data: {
      executionId,
      revision,
      madeAt: toDate(plan.madeAt),
      chosenSiteId: plan.chosen?.siteId ?? null,
      submitAt: toDate(plan.submitAt),
      objective: plan.objective ?? null,
      candidates: storable(plan.candidates),
    },
  });
  await tx.forecast.createMany({
    data: forecasts.map(({ siteId, query, forecast, isOfChosen = true }) => ({
      planId: id,
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
      point: Number.isFinite(forecast.point) ? forecast.point : null,
      percentiles: forecast.percentiles.filter(Number.isFinite),
    })),
  });
  return id;
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
export async function findForecastsToScore(db: Db, executionId: string, siteId: string): Promise<ForecastRow[]> {
  const newest = await db.plan.findFirst({ where: { executionId }, orderBy: { revision: 'desc' } });
  if (!newest) return [];
  return withMoments(await db.forecast.findMany({ where: { planId: newest.id, siteId, isOfChosen: true } }));
}

/** JSON has no infinity; a candidate's quantiles live in its forecast row. */
function storable(candidates: Plan['candidates']): Prisma.InputJsonValue {
  const slim = candidates.map((candidate) => ({
    ...candidate,
    forecast: candidate.forecast && { ...candidate.forecast, quantileSeconds: [] },
    runtime: candidate.runtime && { ...candidate.runtime, quantileSeconds: [] },
  }));
  return JSON.parse(JSON.stringify(slim)) as Prisma.InputJsonValue;
}

/** The forecasts that several plans rest on, for batched reads. */
export async function findForecastsOf(db: Db, planIds: readonly string[]): Promise<ForecastRow[]> {
  return withMoments(await db.forecast.findMany({ where: { planId: { in: [...planIds] } } }));
}
