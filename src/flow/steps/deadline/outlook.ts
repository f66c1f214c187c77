import type { LossReason } from '../../../domain/loss-reason.ts';
import type { Candidate } from '../../../domain/plan.ts';
import { askedJob } from '../../../forecast/asked-job.ts';
import { loadFinishShifts } from '../../../forecast/finish-shifts.ts';
import { deadlineOf, type PromisedFinish } from '../../../plan/deadline/deadline-facts.ts';
import { promisableFinish } from '../../../plan/deadline/finish-aim.ts';
import { waitPutOff } from '../../../plan/deadline/option-finish.ts';
import { queuedFinishProbability } from '../../../plan/deadline/watch.ts';
import { asWaited, finishForecast, runSoFar } from '../../../plan/job/finish.ts';
import { asRuntime, RUNTIME, WAIT } from '../../../predict/quantities.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { findForecastsAt } from '../../../store/plans.ts';
import { asCandidate, downEvidenceOf, type SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import { planRequest } from '../planning/plan-request.ts';

/** A job whose finish is promised, as it is stored. */
export type PromisedExecution = ExecutionRow & PromisedFinish;

/** What its own site can promise of a job that would be submitted there now; null where that cannot be told. */
export async function promisableAt(
  context: FlowContext,
  execution: PromisedExecution,
  siteId: string,
  now: number,
): Promise<{ probability: number | null; lostBecause: LossReason | null }> {
  const { plan } = await planRequest(context, execution, now, (id) => id === siteId);
  const { siteQueue, processors } = execution;
  const isItsWay = (one: Candidate) => one.queue === siteQueue && one.processors === processors;
  const own = plan.candidates.find(isItsWay) ?? plan.candidates[0];
  return { probability: own?.finish?.probability ?? null, lostBecause: own?.lostBecause ?? null };
}

/** The most that another site can promise of a job that would be submitted there now; 0 where none can. */
export async function mostElsewhere(context: FlowContext, execution: PromisedExecution, now: number): Promise<number> {
  const { plan } = await planRequest(context, execution, now, (id) => id !== execution.siteId);
  return Math.max(0, ...plan.candidates.map(({ finish }) => finish?.probability ?? 0));
}

/** How probable it is by now that a job in the queue of its site finishes in time. */
export async function queuedFinish(
  context: FlowContext,
  execution: PromisedExecution,
  site: SiteRow,
  now: number,
): Promise<number> {
  const { probability: fresh, lostBecause } = await promisableAt(context, execution, site.id, now);
  const signs = downEvidenceOf(site).map(({ sign }) => sign);
  const isBarred = lostBecause === 'QUEUE_DOWN' || lostBecause === 'QUEUE_FORBIDDEN';
  const waited = await waitedFinish(context, execution, site, now);
  return queuedFinishProbability({ fresh, waited, signs, isBarred });
}

/** How probable it is by now that a running job finishes in time; null where nothing is known of its runtime. */
export async function runningFinish(
  context: FlowContext,
  execution: PromisedExecution,
  site: SiteRow,
  now: number,
): Promise<number | null> {
  const { startedAt, walltimeSeconds } = execution;
  const { work } = await askedJob(context.database.db, execution, site, now);
  const [made] = await context.forecaster.forecastOthers(site.id, RUNTIME.name, [work]);
  if (startedAt === null || !made || made.sampleSize === 0) return null;
  const runtime = asRuntime(made);
  const finish = finishForecast(runSoFar(runtime, { startedAt, walltimeSeconds, now }));
  return asPromise(context, execution, site, finish.probabilityBy(execution.deadlineAt));
}

/** By the forecasts of its plan, given that it has waited for so long; null where there are none. */
async function waitedFinish(
  context: FlowContext,
  execution: PromisedExecution,
  site: SiteRow,
  now: number,
): Promise<number | null> {
  const made = await findForecastsAt(context.database.db, execution.id, site.id);
  const [wait, runtime] = [WAIT, RUNTIME].map(({ name }) => made.find(({ quantity }) => quantity === name));
  if (!wait || !runtime || runtime.sampleSize === 0) return null;
  const { siteQueue: queue, processors, walltimeSeconds, nativeSubmittedAt } = execution;
  const submitAt = nativeSubmittedAt ?? now;
  const job = { queue, processors, walltimeSeconds, submitAt };
  const waited = asWaited(wait.percentiles, now - submitAt).map((seconds) =>
    waitPutOff(job, asCandidate(site), seconds),
  );
  const finish = finishForecast({
    submitAt,
    waitQuantileSeconds: waited,
    runtimeQuantileSeconds: runtime.percentiles,
    walltimeSeconds,
  });
  return asPromise(context, execution, site, finish.probabilityBy(execution.deadlineAt));
}

/** What a forecast of the finish is worth as a promise at that site. */
async function asPromise(
  { clock, database }: FlowContext,
  execution: PromisedExecution,
  { id }: SiteRow,
  forecast: number,
): Promise<number> {
  const shifts = await loadFinishShifts(database.db, deadlineOf(execution), [id], clock.now());
  return promisableFinish(forecast, shifts(id, execution.promisedFinishProbability));
}
