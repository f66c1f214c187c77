import { isPassing, type Plan, type PlanRequest } from '../../domain/plan.ts';
import { type AskedSite, forecastSites } from '../../forecast/forecast-sites.ts';
import { choosePlan } from '../../plan/choose.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { type MadeForecast, savePlan } from '../../store/plans.ts';
import { asCandidate, listSites, lockSitesThatTakeWork } from '../../store/sites.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { refusalsOf } from './refusals.ts';

/** A plan and what it was made from. */
interface MadePlan {
  readonly plan: Plan;
  readonly asked: readonly AskedSite[];
}

/** Chooses site and submission time by the forecasts of every allowed site, and keeps them as they were made. */
export async function planStep(context: FlowContext, turn: Turn, execution: ExecutionRow): Promise<Next> {
  const now = context.clock.now();
  const made = await planRequest(context, execution, now);
  const { chosen } = made.plan;
  const { id: executionId, requestId } = execution;
  context.logger.info({ requestId, executionId, site: chosen?.siteName ?? null }, 'planned');
  if (!chosen) return waitOrReject(context, turn, execution, made, now);
  const forecasts = [...forecastsOf(made), ...(await forecastsOfOthers(context, made))];
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    // Drained or suspended since it was chosen: the next step chooses again.
    if (!(await lockSitesThatTakeWork(tx, [chosen.siteId])).has(chosen.siteId)) return assertTurn(tx, turn);
    await savePlan(tx, execution.id, made.plan, forecasts);
    const assignment = { siteId: chosen.siteId, siteQueue: chosen.queue, submitAt: made.plan.submitAt };
    await changeExecution(tx, turn, execution, { state: 'HELD', reason: chosen.explanation, ...assignment }, now);
  });
}

/** No site takes it now. It waits for those that may later, not beyond its deadline and not for ever; then it is rejected. */
function waitOrReject(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  { plan, asked }: MadePlan,
  now: number,
): Promise<Next> {
  const { observeIntervalSeconds, patienceSeconds } = context.settings;
  const why = plan.candidates.map(({ siteName, explanation }) => `${siteName}: ${explanation}`).join('; ');
  const lastAt = Math.min(
    execution.createdAt + patienceSeconds,
    (execution.deadlineAt ?? Number.POSITIVE_INFINITY) - execution.walltimeSeconds,
  );
  const mayPass = plan.candidates.some(({ lostBecause }) => isPassing(lostBecause));
  if (mayPass && now < lastAt) {
    const reason = `no site can be planned on yet; given up at ${new Date(lastAt * 1000).toISOString()}: ${why}`;
    return commitStep(context, turn, { wakeAt: Math.min(lastAt, now + observeIntervalSeconds) }, (tx) =>
      changeExecution(tx, turn, execution, { reason }, now),
    );
  }
  const waited = mayPass ? ` in the ${Math.round(now - execution.createdAt)} s that it has waited` : '';
  const reason = why === '' ? 'no site is registered' : `no site can take it${waited}: ${why}`;
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await savePlan(tx, execution.id, plan, forecastsOf({ plan, asked }));
    await changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'REJECTED', reason, endedAt: now }, now);
  });
}

/** Forecasts the request at every allowed site and chooses, without writing anything. */
async function planRequest(context: FlowContext, execution: ExecutionRow, now: number): Promise<MadePlan> {
  const allowed = new Set(execution.allowedSiteIds);
  const sites = (await listSites(context.database.db)).filter(({ id }) => allowed.size === 0 || allowed.has(id));
  const refusals = await refusalsOf(context, execution, now);
  const { processors, walltimeSeconds, queue, deadlineAt } = execution;
  const request: PlanRequest = { processors, walltimeSeconds, queue, deadlineAt };
  const candidates = sites.map((site) => asCandidate(site, refusals));
  const asked = await forecastSites(context.forecaster, candidates, request, now);
  return { plan: choosePlan(request, asked, now, context.settings.staleAfterSeconds), asked };
}

function forecastsOf({ asked }: MadePlan): MadeForecast[] {
  return asked.flatMap(({ site, query, forecast }) => (forecast ? [{ siteId: site.siteId, query, forecast }] : []));
}

/** What the predictors that do not decide say of the chosen site, to be scored beside the one that does. */
async function forecastsOfOthers({ forecaster }: FlowContext, { plan, asked }: MadePlan): Promise<MadeForecast[]> {
  const chosen = asked.find(({ site }) => site.siteId === plan.chosen?.siteId);
  if (!chosen) return [];
  const { site, query, forecast: deciding } = chosen;
  const all = await forecaster.forecastByAll(site.siteId, query);
  return all
    .filter(({ predictor }) => predictor !== deciding?.predictor)
    .map((forecast) => ({ siteId: site.siteId, query, forecast }));
}
