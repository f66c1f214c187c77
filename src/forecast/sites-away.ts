import { type MostInMemory, type SitesInMemory, type SiteUse, sitesInMemory } from './kept-in-memory.ts';
import { VisitPace } from './visit-pace.ts';

/** The sites that a thread has put away: when, what they took in memory, and when it visits the next of them. */
export class SitesAway {
  private readonly away = new Map<string, { readonly at: number; readonly bytes: number }>();
  private readonly visits = new VisitPace();

  /** @param most that is kept in memory; everything unless told */
  constructor(private readonly most: MostInMemory = EVERYTHING) {}

  has(siteId: string): boolean {
    return this.away.has(siteId);
  }

  putAway(siteId: string, bytes: number): void {
    this.away.set(siteId, { at: performance.now(), bytes });
  }

  /**
   * Which of the thread's sites it keeps and visits now.
   * @param uses with the bytes of those that are in memory; 0 where that is not known
   * @param isLearning whether a past is lived through here
   */
  choose(uses: readonly Omit<SiteUse, 'putAwayAt'>[], isLearning: boolean): SitesInMemory {
    const now = performance.now();
    const sites = uses.map((use) => {
      const away = this.away.get(use.siteId);
      return { ...use, bytes: use.bytes || (away?.bytes ?? 0), putAwayAt: away?.at ?? null };
    });
    const chosen = sitesInMemory(sites, this.most, now, isLearning);
    return this.visits.mayVisit(now) ? chosen : { ...chosen, visited: null };
  }

  /** A visit is over that began at a moment of the monotonic clock. */
  visited(fromAt: number): void {
    this.visits.visited(fromAt, performance.now());
  }
}

const EVERYTHING: MostInMemory = { sites: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
