import type { SiteCost } from './ownership.ts';

/**
 * On which thread of a process each site is looked after, by its number from 0. Sites stay where they are; new ones go
 * where least is to be done, the costliest first, and some move when a thread has much more to do than the others. A
 * further thread is begun only where there is work for it.
 * @param sites with the CPU seconds that learning each of them takes
 * @param mostThreads that there may be
 * @param before where they were
 */
export function spreadSites(
  sites: readonly SiteCost[],
  mostThreads: number,
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const homes = new Map<string, number>();
  const loads = new Array<number>(threadsFor(sites, mostThreads, before)).fill(0);
  const put = ({ siteId, cost }: SiteCost, thread: number) => {
    const left = homes.get(siteId);
    if (left !== undefined) loads[left] = (loads[left] as number) - cost;
    loads[thread] = (loads[thread] as number) + cost;
    homes.set(siteId, thread);
  };
  const costliestFirst = sites.toSorted((a, b) => b.cost - a.cost || (a.siteId < b.siteId ? -1 : 1));
  for (const site of costliestFirst) {
    const home = before.get(site.siteId);
    if (home !== undefined && home < loads.length) put(site, home);
  }
  for (const site of costliestFirst) if (!homes.has(site.siteId)) put(site, leastOf(loads));
  for (const _ of sites) {
    const [from, to] = [mostOf(loads), leastOf(loads)];
    const [most, least] = [loads[from] as number, loads[to] as number];
    if (most <= EVEN_ENOUGH * (sum(loads) / loads.length)) break;
    const isMovable = ({ siteId, cost }: SiteCost) => homes.get(siteId) === from && cost > 0 && cost < most - least;
    const moved = costliestFirst.find(isMovable);
    if (!moved) break;
    put(moved, to);
  }
  return homes;
}

function threadsFor(sites: readonly SiteCost[], most: number, before: ReadonlyMap<string, number>): number {
  const worth = Math.ceil(sum(sites.map(({ cost }) => cost)) / WORTH_A_THREAD_SECONDS);
  const begun = 1 + Math.max(0, ...before.values());
  return Math.min(most, Math.max(begun, Math.min(worth, sites.length), 1));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function leastOf(loads: readonly number[]): number {
  return loads.indexOf(Math.min(...loads));
}

function mostOf(loads: readonly number[]): number {
  return loads.indexOf(Math.max(...loads));
}

/** A thread takes some seconds, and some tens of megabytes, before it answers anything. */
const WORTH_A_THREAD_SECONDS = 10;
/** How much more than the mean a thread may have to do. */
const EVEN_ENOUGH = 1.5;
