import type { EpochSeconds } from '../domain/clock.ts';
import type { AutoWalltime, Plan, PlanRequest } from '../domain/plan.ts';
import { forecastOptions } from '../forecast/forecast-options.ts';
import { choosePlan } from '../plan/choose.ts';
import { optionsOf } from '../plan/job/options.ts';
import type { Principal } from '../store/principals.ts';
import { listRefusals } from '../store/refusals.ts';
import { asCandidate, type SiteRow } from '../store/sites.ts';
import type { CommandContext } from './carry-out/context.ts';
import { FaultList } from './input/faults.ts';
import type { Placement } from './input/placement.ts';
import { checkTerms, type TermsInput, termsOf } from './input/plan-terms.ts';
import { checkMoment, checkSize, type SizeInput } from './input/work-input.ts';
import { checkRisk } from './offers/advised-walltimes.ts';
import { allowedSites } from './offers/eligible-sites.ts';

/** A job whose plan is asked for without running it. */
export interface PlanInput extends SizeInput, Placement, TermsInput {
  /** For a walltime that is chosen by a risk; `walltimeSeconds` is the most that it may be then. */
  readonly auto?: AutoWalltime;
  readonly deadlineAt: EpochSeconds | null;
}

/**
 * What planning would decide if the job came now, with the sites it looked at. Changes nothing.
 * @throws CallerError when the input is invalid
 */
export async function dryRunPlan(
  context: CommandContext,
  { tenantId }: Principal,
  input: PlanInput,
): Promise<{ plan: Plan; sites: readonly SiteRow[] }> {
  const { clock, limits, forecaster, database } = context;
  const now = clock.now();
  const faults = new FaultList();
  checkSize(faults, input, 'input', limits);
  if (input.auto) checkRisk(faults, input.auto.risk, 'input.walltimeRisk');
  if (input.deadlineAt !== null) checkMoment(faults, input.deadlineAt, 'input.deadlineAt', now, limits);
  checkTerms(faults, input, 'input');
  faults.assertNone();
  const { processors, walltimeSeconds, auto = null, queue, deadlineAt } = input;
  const sites = await allowedSites(database.db, input, 'input');
  const request: PlanRequest = { processors, walltimeSeconds, auto, queue, deadlineAt, ...termsOf(input) };
  const refusals = await listRefusals(database.db, tenantId, now);
  const known = sites.map((site) => asCandidate(site, refusals));
  const options = await forecastOptions(forecaster, optionsOf(request, known, now), request);
  return { plan: choosePlan(request, options, now, limits.staleAfterSeconds), sites };
}
