/** What of a site decides whether it is kept in memory. */
export interface SiteUse {
  readonly siteId: string;
  /** When somebody asked about it last, in milliseconds of a monotonic clock; null when nobody has. */
  readonly askedAt: number | null;
  /** Whether this thread learns it for everybody. */
  readonly isOwned: boolean;
  /** When it was put away, in the same milliseconds; null when it has not been since this process began. */
  readonly putAwayAt: number | null;
}

/** What a thread does with its sites. */
export interface SitesInMemory {
  readonly kept: readonly string[];
  /** Taken in for as long as it takes to learn what is new of it, then put away again; null for none. */
  readonly visited: string | null;
}

/**
 * Which sites a thread keeps in memory: those that were asked about last. Of the others that it owns one at a time is
 * visited: what it learns for everybody must not be left too long.
 * @param most to be kept
 */
export function sitesInMemory(sites: readonly SiteUse[], most: number, now: number): SitesInMemory {
  const lastFirst = sites.toSorted((a, b) => (b.askedAt ?? 0) - (a.askedAt ?? 0));
  const awayFor = ({ putAwayAt }: SiteUse) => (putAwayAt === null ? Number.POSITIVE_INFINITY : now - putAwayAt);
  const visited = lastFirst
    .slice(most)
    .filter((site) => site.isOwned && awayFor(site) >= REVISITED_MILLISECONDS)
    .reduce((longest: SiteUse | null, site) => (longest && awayFor(longest) >= awayFor(site) ? longest : site), null);
  return { kept: lastFirst.slice(0, most).map(({ siteId }) => siteId), visited: visited?.siteId ?? null };
}

/** A model that has not watched for half an hour forgets what it was following. */
const REVISITED_MILLISECONDS = 900_000;
