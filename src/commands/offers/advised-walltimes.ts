import type { EpochSeconds } from '../../domain/clock.ts';
import type { LossReason, PlanRequest } from '../../domain/plan.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { forecastOptions } from '../../forecast/forecast-options.ts';
import { findUnfit } from '../../plan/choose.ts';
import { optionsOf } from '../../plan/job/options.ts';
import { LARGEST_RISK, LEAST_RISK } from '../../plan/job/walltime.ts';
import { asCandidate, type SiteRow } from '../../store/sites.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { FaultList } from '../input/faults.ts';
import { type IneligibleSite, mayPass } from './eligible-sites.ts';

/** Adds a fault unless it is a risk that an automatic walltime may have. */
export function checkRisk(faults: FaultList, risk: number, field: string): void {
  const valid = risk >= LEAST_RISK && risk <= LARGEST_RISK;
  faults.require(valid, field, `a risk of being killed lies between ${LEAST_RISK} and ${LARGEST_RISK}, got ${risk}`);
}

/** The field to change of a request whose walltime is automatic. */
export const AUTO_FIELDS: Partial<Record<LossReason, string>> = {
  RUNTIME_UNKNOWN: 'walltime',
  WALLTIME_BEYOND_LIMIT: 'walltimeRisk',
};

/**
 * The longest walltime that is advised at a site that can take a job of an automatic one, or may later, and the sites
 * that cannot. Null where no site is left.
 * @param refusals what sites refuse to the caller's tenant
 */
export async function longestAdvised(
  { forecaster, limits }: CommandContext,
  sites: readonly SiteRow[],
  request: PlanRequest,
  refusals: readonly Refusal[],
  now: EpochSeconds,
): Promise<{ walltimeSeconds: number | null; ineligible: IneligibleSite[] }> {
  const known = sites.map((site) => asCandidate(site, refusals));
  const options = await forecastOptions(forecaster, optionsOf(request, known, now), request);
  const ineligible: IneligibleSite[] = [];
  let walltimeSeconds: number | null = null;
  for (const [index, option] of options.entries()) {
    const ineligibility = findUnfit(option, request, now, limits.staleAfterSeconds);
    const unfit = ineligibility && { site: sites[index] as SiteRow, ineligibility };
    if (unfit) ineligible.push(unfit);
    if (!unfit || mayPass(unfit)) walltimeSeconds = Math.max(walltimeSeconds ?? 0, option.walltimeSeconds);
  }
  return { walltimeSeconds, ineligible };
}
