import { askedOptions, type DelayedOptions } from '../../../forecast/delayed-options.ts';
import { loadFinishShifts } from '../../../forecast/finish-shifts.ts';
import type { AskedPlan } from '../../../forecast/plan-forecasts.ts';
import { chooseAgain } from '../../../plan/deadline/choose-again.ts';
import { deadlineOf, isFinishPromised } from '../../../plan/deadline/deadline-facts.ts';
import { withFinishes } from '../../../plan/deadline/option-finish.ts';
import { type ExecutionRow, readProgram } from '../../../store/executions.ts';
import { withOwnSizes } from '../../../store/own-sizes.ts';
import { asPlanRequest } from '../../../store/plan-requests.ts';
import { asCandidate, listAllowedSites } from '../../../store/sites.ts';
import { findNewestSubmission } from '../../../store/submissions.ts';
import type { FlowContext } from '../../context.ts';
import { latestForBursts, latestSubmitAt } from '../held-back/delayed-plan.ts';
import { standingOf } from '../refusals/refusals.ts';
import { onTheWayTo } from './on-the-way-to.ts';

/** A plan and what it was made from. */
export interface MadePlan extends AskedPlan, DelayedOptions {
  /** The executions that were on their way to its sites, where they make a difference to it. */
  readonly onTheWay: ReadonlySet<string>;
}

/**
 * Forecasts every way to run the request at the allowed sites and chooses, without writing anything.
 * @param isAsked which of them are asked; all unless told
 */
export async function planRequest(
  context: FlowContext,
  execution: ExecutionRow,
  now: number,
  isAsked: (siteId: string) => boolean = () => true,
): Promise<MadePlan> {
  const sites = (await listAllowedSites(context.database.db, execution)).filter(({ id }) => isAsked(id));
  const standing = await standingOf(context, execution, now);
  const program = await readProgram(context.database.db, execution);
  const until = { holdBackUntil: latestSubmitAt(execution), avoidIoBurstsUntil: latestForBursts(execution) };
  const request = { ...asPlanRequest(execution), ...deadlineOf(execution), ...until, program };
  const known = sites.map((site) => asCandidate(site, standing));
  const candidates = await withOwnSizes(context.database.db, execution, request, known);
  const ids = sites.map(({ id }) => id);
  const onTheWay = await onTheWayTo(context, execution, sites, now);
  const { tenantId } = execution;
  const { asked: forecast, holdQueues } = await askedOptions(context, tenantId, request, candidates, now);
  const asked = withFinishes(forecast, request, await loadFinishShifts(context.database.db, request, ids, now));
  const plan = chooseAgain(request, asked, now, context.settings.staleAfterSeconds);
  return { plan, asked, onTheWay, holdQueues };
}

/**
 * The same for the step that writes it down. A job that was asked back for its deadline does not go back to that site,
 * however alive that may seem once its queue is empty, unless there is no other.
 */
export async function planAnew(context: FlowContext, execution: ExecutionRow, now: number): Promise<MadePlan> {
  const newest = isFinishPromised(execution) ? await findNewestSubmission(context.database.db, execution.id) : null;
  if (newest?.state !== 'WITHDRAWN') return planRequest(context, execution, now);
  const made = await planRequest(context, execution, now, (siteId) => siteId !== newest.siteId);
  return made.plan.chosen === null ? planRequest(context, execution, now) : made;
}
