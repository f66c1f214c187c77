import { formatSeconds } from '../../domain/duration.ts';
import { isPassing } from '../../domain/loss-reason.ts';
import type { Candidate } from '../../domain/plan.ts';
import { forecastsOf, forecastsOfOthers } from '../../forecast/plan-forecasts.ts';
import { lastStartAt } from '../../plan/deadline/deadline-facts.ts';
import { whyNone } from '../../plan/job/explain.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { findOnTheWay, lockAssignments } from '../../store/on-the-way.ts';
import { savePlan } from '../../store/plans.ts';
import { lockSitesThatTakeWork } from '../../store/sites.ts';
import { assertTurn } from '../../store/turns.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { commitStep, type Next } from '../turn.ts';
import { holdingBack, isHoldQueueChanged } from './held-back/delayed-plan.ts';
import { type MadePlan, planAnew } from './planning/plan-request.ts';

/**
 * Chooses site and submission time by the forecasts of every allowed site, and keeps them as they were made. When
 * another job was assigned to the chosen site meanwhile, they are asked again, so that jobs that come together do not
 * all go where each alone would.
 */
export async function planStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  for (let round = 1; ; round++) {
    const now = context.clock.now();
    const made = await planAnew(context, execution, now);
    const { chosen } = made.plan;
    const { id: executionId, requestId } = execution;
    context.logger.info({ requestId, executionId, site: chosen?.siteName ?? null, round }, 'planned');
    if (!chosen) return waitOrReject(inHand, made, now);
    const isOvertaken = await assign(inHand, made, chosen, round < MOST_ROUNDS);
    if (!isOvertaken) return 'AGAIN';
  }
}

/**
 * Writes the plan down, unless its site takes no work any more: the next step then chooses again.
 * @param isParticular whether it is not to be written, either, when another job has been assigned to the site since it
 * was made
 * @returns whether that was so
 */
async function assign(
  { context, turn, execution }: ExecutionInHand,
  made: MadePlan,
  chosen: Candidate,
  isParticular: boolean,
): Promise<boolean> {
  const now = context.clock.now();
  const { siteId, queue: siteQueue, explanation: reason } = chosen;
  const forecasts = [...forecastsOf(made), ...(await forecastsOfOthers(context.forecaster, made))];
  let isOvertaken = false;
  await commitStep(context, turn, 'AGAIN', async (tx) => {
    await lockAssignments(tx, siteId);
    const onTheWay = isParticular ? await findOnTheWay(tx, [siteId], now) : new Set<string>();
    const overtaken = [...onTheWay].some((id) => !made.onTheWay.has(id));
    isOvertaken = overtaken || (isParticular && (await isHoldQueueChanged(tx, execution, made, chosen, now)));
    const isOpen = (await lockSitesThatTakeWork(tx, [siteId])).has(siteId);
    if (isOvertaken || !isOpen) return assertTurn(tx, turn);
    await savePlan(tx, execution.id, made.plan, forecasts);
    const change = { state: 'HELD', reason, siteId, siteQueue, submitAt: chosen.submitAt } as const;
    const promisable = chosen.finish ? { currentFinishProbability: chosen.finish.probability } : {};
    const own = {
      ...promisable,
      ...chosenSize(execution, chosen),
      ...(execution.staging === null && holdingBack(made, made.plan, chosen)),
    };
    await changeExecution(tx, turn, execution, { ...change, ...own }, now);
  });
  return isOvertaken;
}

/** The size and walltime that were chosen with the site; nothing to change of a job that states both. */
function chosenSize({ walltimeRisk, statedProcessors }: ExecutionRow, chosen: Candidate) {
  const { processors, walltimeSeconds, runtime } = chosen;
  const size = statedProcessors === null ? {} : { processors, walltimeSeconds };
  if (walltimeRisk === null) return size;
  return { ...size, walltimeSeconds, walltimePredictor: runtime?.predictor ?? null };
}

/**
 * No site takes it now. It waits for those that may later, not beyond its deadline and not for ever; then it is
 * rejected.
 */
function waitOrReject({ context, turn, execution }: ExecutionInHand, made: MadePlan, now: number): Promise<Next> {
  const { plan } = made;
  const { observeIntervalSeconds, patienceSeconds } = context.settings;
  const beganAt = execution.readyAt ?? execution.createdAt;
  const why = whyNone(plan.candidates);
  const lastAt = Math.min(beganAt + patienceSeconds, lastStartAt(execution));
  const mayPass = plan.candidates.some(({ lostBecause }) => isPassing(lostBecause));
  if (mayPass && now < lastAt) {
    const reason = `no site can take it yet; it is tried until ${new Date(lastAt * 1000).toISOString()}: ${why}`;
    return commitStep(context, turn, { wakeAt: Math.min(lastAt, now + observeIntervalSeconds) }, (tx) =>
      changeExecution(tx, turn, execution, { reason }, now),
    );
  }
  const waited = mayPass ? ` in the ${formatSeconds(now - beganAt)} that it has waited` : '';
  const reason = why === '' ? 'no site is registered' : `no site can take it${waited}: ${why}`;
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await savePlan(tx, execution.id, plan, forecastsOf(made));
    await changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'REJECTED', reason, endedAt: now }, now);
  });
}

/** After so many the plan is taken as it is. */
const MOST_ROUNDS = 5;
