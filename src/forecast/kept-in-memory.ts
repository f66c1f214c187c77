/** What of a site decides whether it is kept in memory. */
export interface SiteUse {
  readonly siteId: string;
  /** When somebody asked about it last, in milliseconds of a monotonic clock; null when nobody has. */
  readonly askedAt: number | null;
  /** Whether this thread learns it for everybody. */
  readonly isOwned: boolean;
  /** When it was put away, in the same milliseconds; null when it has not been since this process began. */
  readonly putAwayAt: number | null;
  /** Whether much has become known of it since its newest checkpoint, or there is none. */
  readonly isStale: boolean;
  /** What its newest checkpoint here takes in memory; 0 where there was none yet. */
  readonly bytes: number;
}

/** How much is kept in memory: of either no more. */
export interface MostInMemory {
  readonly sites: number;
  readonly bytes: number;
}

/** What a thread does with its sites. */
export interface SitesInMemory {
  readonly kept: readonly string[];
  /** Taken in for as long as it takes to learn what is new of it, then put away again; null for none. */
  readonly visited: string | null;
}

/**
 * Which sites a thread keeps in memory: those that were asked about last, then those that it owns. What another one
 * owns and nobody asked about comes from its checkpoint when somebody does. Of the others that it owns one at a time is
 * visited, if its checkpoint is old: whoever restores that takes in what came since, which is not to be much.
 * @param isLearning whether a past is lived through here: then no site is visited that may have to be learned, too
 */
export function sitesInMemory(
  sites: readonly SiteUse[],
  most: MostInMemory,
  now: number,
  isLearning = false,
): SitesInMemory {
  const wanted = sites.filter(({ askedAt, isOwned }) => askedAt !== null || isOwned);
  const lastFirst = wanted.sort((a, b) => (b.askedAt ?? 0) - (a.askedAt ?? 0));
  const fitting = countFitting(lastFirst, most);
  const due = lastFirst.slice(fitting).filter((site) => isDueForVisit(site, now, isLearning));
  const [longestAway] = due.sort((a, b) => leftAt(a) - leftAt(b));
  return { kept: lastFirst.slice(0, fitting).map(({ siteId }) => siteId), visited: longestAway?.siteId ?? null };
}

function isDueForVisit(site: SiteUse, now: number, isLearning: boolean): boolean {
  if (!site.isOwned || !site.isStale || (isLearning && site.putAwayAt === null)) return false;
  return now - leftAt(site) >= REVISITED_MILLISECONDS;
}

/** Of one that was never here, before all others. */
function leftAt({ putAwayAt }: SiteUse): number {
  return putAwayAt ?? Number.NEGATIVE_INFINITY;
}

/** How many of the first of them are kept; the first one in any case. */
function countFitting(sites: readonly SiteUse[], most: MostInMemory): number {
  let bytes = 0;
  const beyond = sites.slice(0, most.sites).findIndex((site) => {
    bytes += site.bytes;
    return bytes > most.bytes;
  });
  return beyond < 0 ? Math.min(sites.length, most.sites) : Math.max(1, beyond);
}

/** A visit may find that there is nothing to be kept. */
const REVISITED_MILLISECONDS = 900_000;
