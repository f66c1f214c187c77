import type { Candidate } from '../../domain/plan.ts';
import { forecastsOf } from '../../forecast/plan-forecasts.ts';
import { type ChainPlan, mostHoldSeconds, planChain } from '../../plan/job/chain.ts';
import { changeExecution } from '../../store/execution-changes.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import { lockSitesThatTakeWork } from '../../store/open-sites.ts';
import { savePlan } from '../../store/plans.ts';
import { listAllowedSites, type SiteRow } from '../../store/sites.ts';
import { assertTurn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { commitStep, type Next } from '../turn.ts';
import { forecastEnd } from './planning/forecast-end.ts';
import { type MadePlan, planRequest } from './planning/plan-request.ts';
import { submitStep } from './submit.ts';

/** Where and when a job is to be submitted ahead. */
interface PlannedAhead {
  readonly made: MadePlan;
  readonly chosen: Candidate;
  readonly chain: ChainPlan;
}

/**
 * Waits for the end of the one job that is left of those that an execution comes after, and submits it ahead of that
 * end when its wait is due by what is forecast of both. Both are looked at again and again. Where that is not possible
 * it waits on.
 */
export async function aheadStep(inHand: ExecutionInHand, predecessor: ExecutionRow, reason: string): Promise<Next> {
  const { context, turn, execution } = inHand;
  const now = context.clock.now();
  const planned = await planAhead(inHand, predecessor, now);
  const lookAgainAt = now + context.settings.recomputeIntervalSeconds;
  const submitAt = planned?.chain.submitAt ?? null;
  if (planned && submitAt !== null && submitAt <= now) return submitAhead(inHand, planned, now);
  const wakeAt = submitAt === null ? lookAgainAt : Math.min(submitAt, lookAgainAt);
  return commitStep(context, turn, { wakeAt }, async (tx) => {
    const isNews = reason !== execution.reason || submitAt !== execution.submitAt || execution.siteId !== null;
    const change = { state: 'HELD', siteId: null, siteQueue: null, reason, submitAt } as const;
    if (isNews) await changeExecution(tx, turn, execution, change, now);
    else await assertTurn(tx, turn);
  });
}

/** Whether an execution may be submitted ahead: it is asked for, and has not come to nothing too often. */
export function mayGoAhead({ startsAhead, attempts }: ExecutionRow): boolean {
  return startsAhead && attempts < MOST_ATTEMPTS_AHEAD;
}

/** Null where nothing can be told to a job, too little is known, or no site takes it. */
async function planAhead(
  { context, execution }: ExecutionInHand,
  predecessor: ExecutionRow,
  now: number,
): Promise<PlannedAhead | null> {
  const endAt = await forecastEnd(context, predecessor, now);
  const sites = endAt && (await sitesThatTell(context, execution));
  if (!endAt || !sites || sites.length === 0) return null;
  const { walltimeSeconds } = execution;
  const padded = walltimeSeconds + mostHoldSeconds(walltimeSeconds, null);
  const ids = new Set(sites.map(({ id }) => id));
  const asked = { ...execution, ...UNDELAYED, walltimeSeconds: padded };
  const made = await planRequest(context, asked, now, (id) => ids.has(id));
  const { chosen } = made.plan;
  if (!chosen?.forecast) return null;
  const chain = planChain({
    endAt,
    waitSeconds: chosen.forecast.quantileSeconds,
    now,
    mostHoldSeconds: mostHoldSeconds(walltimeSeconds, null),
  });
  return chain && { made, chosen, chain };
}

/** The allowed sites whose jobs can be told to begin. */
async function sitesThatTell(context: FlowContext, execution: ExecutionRow): Promise<SiteRow[]> {
  const sites = await listAllowedSites(context.database.db, execution);
  return sites.filter((site) => context.adapterOf(site).begin !== undefined);
}

/** Writes the plan down and hands the job in, unless its site takes no work any more. */
async function submitAhead(inHand: ExecutionInHand, planned: PlannedAhead, now: number): Promise<Next> {
  const { context, turn, execution } = inHand;
  const { made, chosen, chain } = planned;
  const { siteId, queue: siteQueue } = chosen;
  const assigned = {
    state: 'HELD',
    siteId,
    siteQueue,
    submitAt: now,
    gateSeconds: chain.gateSeconds,
    gateOpenedAt: null,
  } as const;
  const change = { ...assigned, expectedGapSeconds: chain.gapSeconds, reason: execution.reason };
  let isOpen = false;
  await commitStep(context, turn, 'AGAIN', async (tx) => {
    isOpen = (await lockSitesThatTakeWork(tx, [siteId])).has(siteId);
    if (!isOpen) return assertTurn(tx, turn);
    await savePlan(tx, execution.id, made.plan, forecastsOf(made));
    await changeExecution(tx, turn, execution, change, now);
  });
  return isOpen ? submitStep({ ...inHand, execution: { ...execution, ...change } }) : 'AGAIN';
}

/** It has its own time of submission. */
const UNDELAYED = { maxDelaySeconds: null, avoidIoBurstsSeconds: null } as const;
/** After so many that came to nothing it waits for the end. */
const MOST_ATTEMPTS_AHEAD = 2;
