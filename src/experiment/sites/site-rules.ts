import type { RandomStream } from '../../sim/random.ts';
import type { StreamedJob } from './merged-stream.ts';
import type { ShownSite } from './shown-site.ts';

/** Chooses among the sites that a job fits, of which there is at least one. */
export type SiteRule = (job: StreamedJob, sites: readonly ShownSite[], random: RandomStream) => ShownSite;

/** The rules that know no runtimes but those requested. Ties go to the job's own site, then to the first. */
export const SITE_RULES: ReadonlyMap<string, SiteRule> = new Map<string, SiteRule>([
  ['home', (job, sites) => sites.find(({ number }) => number === job.home) as ShownSite],
  ['random', (_, sites, random) => sites[random.weighted(sites.map(({ processors }) => processors))] as ShownSite],
  ['random-evenly', (_, sites, random) => sites[Math.floor(random.uniform() * sites.length)] as ShownSite],
  ['shortest-queue', least((site) => site.waitingJobs)],
  ['least-loaded', least((site) => site.requestedShare)],
  ['least-work', least((site) => site.requestedSeconds)],
  ['earliest-estimate', least((site, job) => site.waitByRequests(job))],
]);

/** What a rule reads off a site for a job; the less the better. */
export type SiteFigure = (site: ShownSite, job: StreamedJob) => number;

/** The rule that goes where some figure is least, and of equals where another one is. */
export function least(figureOf: SiteFigure, tieOf: SiteFigure = () => 0): SiteRule {
  return (job, sites) => {
    const homeFirst = sites.toSorted((a, b) => Number(b.number === job.home) - Number(a.number === job.home));
    const best = leastOf(homeFirst, (site) => figureOf(site, job));
    return leastOf(best, (site) => tieOf(site, job))[0] as ShownSite;
  };
}

function leastOf(sites: readonly ShownSite[], figureOf: (site: ShownSite) => number): ShownSite[] {
  const figures = sites.map(figureOf);
  const fewest = Math.min(...figures);
  return sites.filter((_, i) => figures[i] === fewest);
}
