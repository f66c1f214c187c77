import type { EpochSeconds } from '../domain/clock.ts';
import type { Plan, PlanRequest } from '../domain/plan.ts';
import { choosePlan } from '../plan/choose.ts';
import { asCandidate, type SiteRow } from '../store/sites.ts';
import type { CommandContext } from './context.ts';
import { allowedSites } from './eligible-sites.ts';
import { FaultList } from './faults.ts';
import { checkMoment, checkSize, type SizeInput } from './work-input.ts';

/** A job whose plan is asked for without running it. */
export interface PlanInput extends SizeInput {
  readonly siteIds: readonly string[];
  readonly deadlineAt: EpochSeconds | null;
}

/**
 * What planning would decide if the job came now, with the sites it looked at. Changes nothing.
 * @throws CallerError when the input is invalid
 */
export async function dryRunPlan(
  context: CommandContext,
  input: PlanInput,
): Promise<{ plan: Plan; sites: readonly SiteRow[] }> {
  const { clock, limits, forecaster, database } = context;
  const now = clock.now();
  const faults = new FaultList();
  checkSize(faults, input, 'input', limits);
  if (input.deadlineAt !== null) checkMoment(faults, input.deadlineAt, 'input.deadlineAt', now, limits);
  faults.assertNone();
  const { processors, walltimeSeconds, queue, deadlineAt } = input;
  const query = { queue, processors, walltimeSeconds, user: null, submitAt: now };
  const sites = await allowedSites(database.db, input.siteIds, 'input');
  const candidates = await Promise.all(
    sites.map(async (site) => {
      const [forecast = null] = await forecaster.forecastWaits(site.id, [query]);
      return { site: asCandidate(site), forecast };
    }),
  );
  const request: PlanRequest = { processors, walltimeSeconds, queue, deadlineAt };
  return { plan: choosePlan(request, candidates, now, limits.staleAfterSeconds), sites };
}
