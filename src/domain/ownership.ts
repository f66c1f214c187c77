import type { EpochSeconds } from './clock.ts';
import { mixedHash } from './mixed-hash.ts';

/**
 * Who learns a site, as a row says it. One process at a time owns a site, for as long as it says, again and again, that
 * it lives. Whoever takes a site raises its epoch, and a checkpoint is stored only under the row's present epoch: an
 * owner that was paused, or believes that it still owns what another one has taken, cannot write any more. All moments
 * are PostgreSQL's.
 */
export interface Ownership {
  /** Null when nobody owns it. */
  readonly ownerId: number | null;
  /** How often it has been taken. */
  readonly epoch: number;
  /** Until when its owner lives by its last word; of one that nobody owns, since when. */
  readonly until: EpochSeconds;
}

/**
 * What a process does with a site when it looks at its row: takes it, goes on owning it, gives it back so that the one
 * who should own it takes it, or leaves it.
 */
export type OwnershipMove = 'take' | 'keep' | 'give' | 'leave';

/**
 * The threads of a process have numbers of their own, one after the other, so that each says for itself that it lives;
 * which process should own a site is computed of processes, which of its threads is its own affair.
 */
export const MOST_THREADS = 32;

/** The number of the process that a thread is of. */
export function processOf(threadId: number): number {
  return Math.floor(threadId / MOST_THREADS);
}

/** A thread that can own sites. */
export interface OwningThread {
  /** Its number, see `processOf`. */
  readonly threadId: number;
  /** Whether it owns sites only while no thread is there that does so first, as where it answers people meanwhile. */
  readonly learnsLast: boolean;
}

/** The processes that are to own the sites, by their numbers. */
export function learningProcesses(threads: readonly OwningThread[]): number[] {
  const first = threads.filter(({ learnsLast }) => !learnsLast);
  return [...new Set((first.length > 0 ? first : threads).map(({ threadId }) => processOf(threadId)))];
}

/** How long a process lives by its word: how long a takeover takes at most, but for one look. */
export const OWNERSHIP_SECONDS = 6;
/** How often a process says so, and looks. */
export const OWNERSHIP_LOOK_SECONDS = 1.5;
/** After that anybody takes a site that the one who should own it has not taken. */
const PATIENCE_SECONDS = 6;

/**
 * What to do with a site. It is done only if the row still says what it said (`src/store/site-owners.ts`), so two that
 * decide alike at once do not both own it.
 * @param me the number of the process that looks
 * @param preferredId who should own it, see `preferredOwners`
 */
export function decideMove(row: Ownership, me: number, preferredId: number | null, now: EpochSeconds): OwnershipMove {
  if (isOwned(row, now)) {
    if (row.ownerId !== me) return 'leave';
    return preferredId === null || preferredId === me ? 'keep' : 'give';
  }
  return preferredId === me || now - row.until > PATIENCE_SECONDS ? 'take' : 'leave';
}

function isOwned({ ownerId, until }: Ownership, now: EpochSeconds): boolean {
  return ownerId !== null && until > now;
}

/** A site with what learning it costs, in whatever unit. */
export interface SiteCost {
  readonly siteId: string;
  readonly cost: number;
}

/**
 * Who should own which site: everybody who knows the same sites and processes says the same, without asking anybody.
 * Each site goes to the process that a hash of both likes best, unless that one has its share of the cost already; so
 * a process that comes or goes moves few sites, and none learns much more than its share. Costly sites choose first.
 * Source: rendezvous hashing (Thaler and Ravishankar, IEEE/ACM ToN 6(1), 1998) with bounded loads (Mirrokni, Thorup and
 * Zadimoghaddam, SODA 2018).
 * @param owners their numbers
 */
export function preferredOwners(sites: readonly SiteCost[], owners: readonly number[]): ReadonlyMap<string, number> {
  const preferred = new Map<string, number>();
  if (owners.length === 0) return preferred;
  const costs = sites.map((site) => ({ ...site, cost: site.cost + LEAST_COST }));
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  const most = (MOST_OVER * total) / owners.length;
  const loads = new Map(owners.map((owner) => [owner, 0]));
  for (const { siteId, cost } of costs.sort((a, b) => b.cost - a.cost || (a.siteId < b.siteId ? -1 : 1))) {
    const liked = owners.toSorted((a, b) => likingOf(siteId, b) - likingOf(siteId, a) || a - b);
    const loadOf = (owner: number) => loads.get(owner) as number;
    const least = Math.min(...loads.values());
    const chosen = liked.find((owner) => loadOf(owner) + cost <= most || loadOf(owner) === least) as number;
    loads.set(chosen, loadOf(chosen) + cost);
    preferred.set(siteId, chosen);
  }
  return preferred;
}

/**
 * Which of its sites a process gives to those who should own them. Who that is changes with every cost that becomes
 * known, and a site that moves is restored by its next owner. So a process gives nothing as long as it has not much
 * more to do than its share, then only what leaves it that share, the costliest first, and none that costs little.
 * @param sites all of them, with the process that owns each; null for nobody
 * @param owners their numbers, `me` among them
 * @param preferred see `preferredOwners`
 */
export function sitesToGive(
  sites: readonly (SiteCost & { readonly owner: number | null })[],
  owners: readonly number[],
  me: number,
  preferred: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const costs = sites.map((site) => ({ ...site, cost: site.cost + LEAST_COST }));
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  const share = total / owners.length;
  const worthMoving = (WORTH_MOVING * total) / costs.length;
  const mine = costs.filter(({ owner }) => owner === me);
  let left = mine.reduce((sum, { cost }) => sum + cost, 0);
  const given = new Set<string>();
  if (left <= MOST_OVER * share) return given;
  for (const { siteId, cost } of mine.sort((a, b) => b.cost - a.cost || (a.siteId < b.siteId ? -1 : 1))) {
    if (cost < worthMoving || preferred.get(siteId) === me || left - cost < share) continue;
    left -= cost;
    given.add(siteId);
  }
  return given;
}

function likingOf(siteId: string, owner: number): number {
  return mixedHash(`${siteId} ${owner}`);
}

/** What a site costs that was never learned. */
const LEAST_COST = 1;
const MOST_OVER = 1.25;
/** As a share of what a site costs on average. */
const WORTH_MOVING = 0.5;
