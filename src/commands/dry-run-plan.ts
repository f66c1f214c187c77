import type { EpochSeconds } from '../domain/clock.ts';
import type { AutoWalltime, FinishBy, Plan, PlanRequest } from '../domain/plan.ts';
import type { Principal } from '../store/principals.ts';
import type { SiteRow } from '../store/sites.ts';
import type { CommandContext } from './carry-out/context.ts';
import { FaultList } from './input/faults.ts';
import { checkFinishBy } from './input/finish-input.ts';
import type { Placement } from './input/placement.ts';
import { type ChoicesInput, toChoices } from './input/plan-choices.ts';
import { checkTerms, type TermsInput, termsOf } from './input/plan-terms.ts';
import { checkSiteRequests } from './input/site-requests.ts';
import {
  asksOf,
  checkDelay,
  checkMoment,
  checkProgram,
  checkSize,
  type ProgramInput,
  type SizeInput,
  toProgram,
} from './input/work-input.ts';
import { checkRisk } from './offers/advised-walltimes.ts';
import { allowedSites } from './offers/eligible-sites.ts';
import { planAtSites } from './offers/finish-offers.ts';

/** A job whose plan is asked for without running it. */
export interface PlanInput extends SizeInput, Placement, TermsInput, ChoicesInput, ProgramInput {
  /** For a walltime that is chosen by a risk; `walltimeSeconds` is the most that it may be then. */
  readonly auto?: AutoWalltime;
  readonly deadlineAt: EpochSeconds | null;
  /** By when it is to have finished with which probability; goes without `deadlineAt`. */
  readonly finishBy?: FinishBy | null;
  /** As of a job; not at all unless told. */
  readonly maxDelaySeconds?: number | null;
  readonly avoidIoBurstsSeconds?: number | null;
}

/**
 * What planning would decide if the job came now, with the sites it looked at. Changes nothing.
 * @throws CallerError when the input is invalid
 */
export async function dryRunPlan(
  context: CommandContext,
  { tenantId, id: principalId }: Principal,
  input: PlanInput,
): Promise<{ plan: Plan; sites: readonly SiteRow[] }> {
  const { clock, limits, database } = context;
  const now = clock.now();
  const faults = new FaultList();
  checkSize(faults, input, 'input', limits);
  checkProgram(faults, input, 'input', limits);
  if (input.auto) checkRisk(faults, input.auto.risk, 'input.walltimeRisk');
  if (input.deadlineAt !== null) checkMoment(faults, input.deadlineAt, 'input.deadlineAt', now, limits);
  checkTerms(faults, input, 'input');
  checkFinishBy(faults, input, now, limits);
  checkSiteRequests(faults, input, input.siteIds, 'input');
  const choices = toChoices(faults, input, input, 'input', limits);
  checkDelay(faults, input, limits);
  faults.assertNone();
  const { processors, walltimeSeconds, resources, auto = null, queue, deadlineAt, finishBy = null } = input;
  const sites = await allowedSites(database.db, input, 'input');
  const what = { processors, walltimeSeconds, resources, auto, queue };
  const size = { ...what, ...asksOf(input), ...toProgram(input) };
  const holdBackUntil = now + (input.maxDelaySeconds ?? 0);
  const avoidIoBurstsUntil = now + (input.avoidIoBurstsSeconds ?? 0);
  const until = { deadlineAt, holdBackUntil, avoidIoBurstsUntil };
  const request: PlanRequest = { ...size, ...until, finishBy, ...termsOf(input), ...choices };
  const { plan } = await planAtSites(context, { tenantId, principalId }, sites, request, now);
  return { plan, sites };
}
