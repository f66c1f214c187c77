import type { EpochSeconds } from '../../domain/clock.ts';
import type { Refusal } from '../../domain/refusal.ts';

/** At how many of a tenant's jobs a site said that it takes no more, and until when that refusal counted. */
export interface SiteLimit {
  readonly jobs: number;
  readonly until: EpochSeconds;
}

/** What is known of sites' limits, by their ids. */
export type SiteLimits = Readonly<Record<string, SiteLimit>>;

/**
 * What refusals for a limit of jobs teach: a site that refuses one more takes as many as it has then. That is forgotten
 * after a while, for limits change and others share them.
 * @param acceptedAt jobs of the tenant that a site has, by its id
 */
export function learnLimits(
  known: SiteLimits,
  refusals: readonly Refusal[],
  acceptedAt: (siteId: string) => number,
  now: EpochSeconds,
): SiteLimits {
  const kept = Object.entries(known).filter(([, { until }]) => now < until + FORGOTTEN_AFTER_SECONDS);
  const news = refusals
    .filter(({ scope, siteId, until }) => scope === 'JOB_LIMIT' && known[siteId]?.until !== until)
    .map(({ siteId, until }) => [siteId, { jobs: Math.max(1, acceptedAt(siteId)), until }] as const);
  return Object.fromEntries([...kept, ...news]);
}

/**
 * The sites that have refused one more job and have fewer now than they take: they can be given some again.
 * @param jobsAt jobs of the tenant at a site and on their way there, by its id
 */
export function sitesWithRoomAgain(
  limits: SiteLimits,
  refusals: readonly Refusal[],
  jobsAt: (siteId: string) => number,
): string[] {
  const refusing = refusals.filter(({ scope }) => scope === 'JOB_LIMIT').map(({ siteId }) => siteId);
  return refusing.filter((siteId) => jobsAt(siteId) < (limits[siteId]?.jobs ?? 0));
}

const FORGOTTEN_AFTER_SECONDS = 3600;
