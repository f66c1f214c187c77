import type { WaitQuery } from '../../domain/forecast.ts';
import type { Plan, PlanRequest } from '../../domain/plan.ts';
import { choosePlan } from '../../plan/choose.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { type MadeForecast, savePlan } from '../../store/plans.ts';
import { asCandidate, listSites, lockSitesThatTakeWork } from '../../store/sites.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';

/** Chooses site and submission time by the forecasts of every allowed site, and keeps them as they were made. */
export async function planStep(context: FlowContext, turn: Turn, execution: ExecutionRow): Promise<Next> {
  const now = context.clock.now();
  const { plan, made } = await planRequest(context, execution, now);
  const chosen = plan.chosen;
  const { id: executionId, requestId } = execution;
  context.logger.info({ requestId, executionId, site: chosen?.siteName ?? null }, 'planned');
  if (!chosen) {
    const transient = plan.candidates.some(
      ({ lostBecause }) => lostBecause !== null && ['STALE', 'NEVER_OBSERVED', 'SUSPENDED'].includes(lostBecause),
    );
    const why = plan.candidates.map(({ siteName, explanation }) => `${siteName}: ${explanation}`).join('; ');
    if (transient) {
      return commitStep(context, turn, { wakeAt: now + context.settings.observeIntervalSeconds }, (tx) =>
        changeExecution(tx, turn, execution, { reason: `no site can be planned on yet: ${why}` }, now),
      );
    }
    return commitStep(context, turn, 'AGAIN', async (tx) => {
      await savePlan(tx, execution.id, plan, made);
      const reason = why === '' ? 'no site is registered' : `no site can take it: ${why}`;
      await changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'REJECTED', reason, endedAt: now }, now);
    });
  }
  const everyPredictor = await context.forecaster.forecastByAll(
    chosen.siteId,
    waitQuery(execution, chosen.queue, plan.submitAt),
  );
  const others = everyPredictor
    .filter(({ predictor }) => predictor !== chosen.forecast?.predictor)
    .map((forecast) => ({ siteId: chosen.siteId, query: waitQuery(execution, chosen.queue, plan.submitAt), forecast }));
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    // Drained or suspended since it was chosen: the next step chooses again.
    if (!(await lockSitesThatTakeWork(tx, [chosen.siteId])).has(chosen.siteId)) return assertTurn(tx, turn);
    await savePlan(tx, execution.id, plan, [...made, ...others]);
    const assignment = { siteId: chosen.siteId, siteQueue: chosen.queue, submitAt: plan.submitAt };
    await changeExecution(tx, turn, execution, { state: 'HELD', reason: chosen.explanation, ...assignment }, now);
  });
}

/** Forecasts the request at every allowed site and chooses, without writing anything. */
async function planRequest(
  context: FlowContext,
  execution: ExecutionRow,
  now: number,
): Promise<{ plan: Plan; made: MadeForecast[] }> {
  const allowed = new Set(execution.allowedSiteIds);
  const sites = (await listSites(context.database.db)).filter(({ id }) => allowed.size === 0 || allowed.has(id));
  const made: MadeForecast[] = [];
  const candidates = await Promise.all(
    sites.map(async (site) => {
      const query = waitQuery(execution, execution.queue, now);
      const [forecast = null] = await context.forecaster.forecastWaits(site.id, [query]);
      if (forecast) made.push({ siteId: site.id, query, forecast });
      return { site: asCandidate(site), forecast };
    }),
  );
  const { processors, walltimeSeconds, queue, deadlineAt } = execution;
  const request: PlanRequest = { processors, walltimeSeconds, queue, deadlineAt };
  return { plan: choosePlan(request, candidates, now, context.settings.staleAfterSeconds), made };
}

function waitQuery(execution: ExecutionRow, queue: string | null, submitAt: number): WaitQuery {
  const { processors, walltimeSeconds } = execution;
  return { queue, processors, walltimeSeconds, user: null, submitAt };
}
