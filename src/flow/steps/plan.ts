import type { Candidate } from '../../domain/plan.ts';
import { forecastsOf, forecastsOfOthers } from '../../forecast/plan-forecasts.ts';
import { canBeOvertaken } from '../../plan/job/overtaken.ts';
import { changeExecution } from '../../store/execution-changes.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import { findOnTheWay, lockAssignments, shareAssignments } from '../../store/on-the-way.ts';
import { lockSitesThatTakeWork } from '../../store/open-sites.ts';
import { savePlan } from '../../store/plans.ts';
import { assertTurn } from '../../store/turns.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import type { Next } from '../turn.ts';
import { holdingBack, isHoldQueueChanged } from './held-back/delayed-plan.ts';
import { inTurnWithAChoice } from './planning/in-turn-with-a-choice.ts';
import { type MadePlan, planAnew } from './planning/plan-request.ts';
import { waitOrReject } from './planning/wait-or-reject.ts';

/**
 * Chooses site and submission time by the forecasts of every allowed site, and keeps them as they were made. Jobs that
 * come together and have a choice are planned one after another, so that they do not all go where each alone would.
 */
export function planStep(inHand: ExecutionInHand): Promise<Next> {
  return inTurnWithAChoice(inHand, () => chooseAndAssign(inHand));
}

/** When another process has assigned a job to the chosen site meanwhile, the forecasts are asked again. */
async function chooseAndAssign(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  for (let round = 1; ; round++) {
    const now = context.clock.now();
    const made = await planAnew(context, execution, now);
    const { chosen } = made.plan;
    const { id: executionId, requestId } = execution;
    context.logger.info({ requestId, executionId, site: chosen?.siteName ?? null, round }, 'planned');
    if (!chosen) return waitOrReject(inHand, made, now);
    const isParticular = round < MOST_ROUNDS && canBeOvertaken(execution, made.plan);
    const isOvertaken = await assign(inHand, made, chosen, isParticular);
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
  const { transaction, sharedTransaction } = context.database;
  return (isParticular ? transaction : sharedTransaction)(async (tx) => {
    await (isParticular ? lockAssignments(tx, siteId) : shareAssignments(tx, siteId));
    const onTheWay = isParticular ? await findOnTheWay(tx, [siteId], now) : new Set<string>();
    const overtaken = [...onTheWay].some((id) => !made.onTheWay.has(id));
    const isOvertaken = overtaken || (isParticular && (await isHoldQueueChanged(tx, execution, made, chosen, now)));
    const isOpen = (await lockSitesThatTakeWork(tx, [siteId])).has(siteId);
    if (isOvertaken || !isOpen) {
      await assertTurn(tx, turn);
      return isOvertaken;
    }
    await savePlan(tx, execution.id, made.plan, forecasts);
    const change = { state: 'HELD', reason, siteId, siteQueue, submitAt: chosen.submitAt } as const;
    const promisable = chosen.finish ? { currentFinishProbability: chosen.finish.probability } : {};
    const own = {
      ...promisable,
      ...chosenSize(execution, chosen),
      ...(execution.staging === null && holdingBack(made, made.plan, chosen)),
    };
    await changeExecution(tx, turn, execution, { ...change, ...own }, now);
    return false;
  });
}

/** The size and walltime that were chosen with the site; nothing to change of a job that states both. */
function chosenSize({ walltimeRisk, statedProcessors }: ExecutionRow, chosen: Candidate) {
  const { processors, walltimeSeconds, runtime } = chosen;
  const size = statedProcessors === null ? {} : { processors, walltimeSeconds };
  if (walltimeRisk === null) return size;
  return { ...size, walltimeSeconds, walltimePredictor: runtime?.predictor ?? null };
}

/** After so many the plan is taken as it is. */
const MOST_ROUNDS = 5;
