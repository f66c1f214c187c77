import type { EpochSeconds } from '../../domain/clock.ts';
import type { Standing } from '../../store/standing.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { LegTerms } from '../input/co-allocation-terms.ts';
import { allowedSites, type EligibleSite, noEligibleSite, sortOut } from './eligible-sites.ts';

/** A leg and a site that may take it. */
export interface LegChoice extends EligibleSite {
  readonly leg: LegTerms;
}

/**
 * The eligible sites for one leg; of more than two dozen the largest machines.
 * @param path where the leg sits in the caller's input
 * @throws CallerError NOT_FOUND, NO_ELIGIBLE_SITE or STALE_SITE
 */
export async function choicesOf(
  { database, limits }: CommandContext,
  leg: LegTerms,
  startAt: EpochSeconds,
  path: string,
  standing: Standing,
  now: EpochSeconds,
): Promise<LegChoice[]> {
  const sites = await allowedSites(database.db, leg, path);
  const { eligible, ineligible } = sortOut(sites, { ...leg, startAt }, standing, now, limits.staleAfterSeconds);
  if (eligible.length === 0) throw noEligibleSite(ineligible, path);
  return eligible
    .sort((a, b) => b.site.processors - a.site.processors)
    .slice(0, MOST_SITES_ASKED)
    .map((choice) => ({ ...choice, leg }));
}

const MOST_SITES_ASKED = 24;
