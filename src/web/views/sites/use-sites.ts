import { useEffect, useRef, useState } from 'react';
import { useSubscription } from 'urql';
import { graphql, type ResultOf } from '../../api/graphql.ts';
import { type Live, useLive } from '../../api/use-live.ts';

/** What a look at a site changes. */
const SEEN = graphql(`
  fragment SeenSite on Site @_unmask {
    id name state stale observedAt removedAt fault processors usableProcessors freeProcessors waitingJobs runningJobs
    openBreakers { service openedAt fault }
  }
`);

const SITES = graphql(
  `query Sites {
    viewer { role }
    sites {
      ...SeenSite
      adapter tags promises { decided kept promised } model { ownerId checkpointAgeSeconds fault }
    }
  }`,
  [SEEN],
);

const SITE_SEEN = graphql(`subscription SitesSeen { siteChanged { ...SeenSite } }`, [SEEN]);
/** Tells nothing: looks come with their rows. */
const NOTHING = { query: SITE_SEEN, pause: true };

/** Looks that come together are shown together. */
const PAUSE_MILLISECONDS = 400;
/** As often is read anew what no look tells: promises, and who has learned what. */
const ANEW_MILLISECONDS = 60_000;

type Sites = ResultOf<typeof SITES>;
export type SiteRow = Sites['sites'][number];

/** Every site as it is now: read once, then row by row as sites are looked at, for there may be a thousand of them. */
export function useSites(): Omit<Live<Sites>, 'data'> & {
  readonly sites: readonly SiteRow[] | undefined;
  readonly isAdmin: boolean;
} {
  const { data, ...read } = useLive(SITES, {}, NOTHING);
  const { refresh } = read;
  const [sites, setSites] = useState<readonly SiteRow[]>();
  useEffect(() => setSites(data?.sites), [data]);
  useEffect(() => {
    const timer = setInterval(refresh, ANEW_MILLISECONDS);
    return () => clearInterval(timer);
  }, [refresh]);
  const told = useRef(new Map<string, ResultOf<typeof SEEN>>());
  useEffect(() => {
    const timer = setInterval(() => {
      if (told.current.size === 0) return;
      const seen = told.current;
      told.current = new Map();
      setSites((before) => before && withSeen(before, seen));
    }, PAUSE_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  useSubscription({ query: SITE_SEEN }, (_, heard) => {
    const { siteChanged } = heard;
    told.current.set(siteChanged.id, siteChanged);
    // One that was registered just now: what no look tells of it has to be read.
    if (sites && siteChanged.removedAt === null && !sites.some(({ id }) => id === siteChanged.id)) refresh();
    return heard;
  });
  return { ...read, sites, isAdmin: data?.viewer.role === 'ADMIN' };
}

function withSeen(before: readonly SiteRow[], seen: ReadonlyMap<string, ResultOf<typeof SEEN>>): readonly SiteRow[] {
  return before
    .map((site) => (seen.has(site.id) ? { ...site, ...seen.get(site.id) } : site))
    .filter(({ removedAt }) => removedAt === null);
}
