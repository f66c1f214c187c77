import { DutyCycle } from '../domain/duty-cycle.ts';
import type { Followed } from './followed-site.ts';
import { type MostInMemory, type SitesInMemory, type SiteUse, sitesInMemory } from './kept-in-memory.ts';
import { type ListStale, StaleSites } from './stale-sites.ts';

/** The sites that a thread has put away: when, what they took in memory, and when it visits the next of them. */
export class SitesAway {
  private readonly away = new Map<string, { readonly at: number; readonly bytes: number }>();
  private readonly visits = new DutyCycle(VISITS_SHARE);

  private readonly stale: StaleSites;

  /**
   * @param most that is kept in memory; everything unless told
   * @param listStale which of some sites have no checkpoint that is near what is known of them; none unless told
   */
  constructor(
    private readonly most: MostInMemory = EVERYTHING,
    listStale: ListStale = async () => new Set(),
  ) {
    this.stale = new StaleSites(listStale);
  }

  has(siteId: string): boolean {
    return this.away.has(siteId);
  }

  putAway(siteId: string, bytes: number): void {
    this.away.set(siteId, { at: performance.now(), bytes });
  }

  /** Whether sites in memory take as much as may be kept, so that of the others none is taken in unasked. */
  isFull(inMemory: Iterable<Pick<Followed, 'kept'>>): boolean {
    let bytes = 0;
    for (const { kept } of inMemory) bytes += kept?.bytes ?? 0;
    return bytes >= this.most.bytes;
  }

  /**
   * Which of the thread's sites it keeps and visits now.
   * @param uses with the bytes of those that are in memory; 0 where that is not known
   * @param isLearning whether a past is lived through here
   */
  async choose(uses: readonly Omit<SiteUse, 'putAwayAt' | 'isStale'>[], isLearning: boolean): Promise<SitesInMemory> {
    const stale = await this.stale.among(uses.map(({ siteId }) => siteId));
    const now = performance.now();
    const sites = uses.map((use) => {
      const away = this.away.get(use.siteId);
      const bytes = use.bytes || (away?.bytes ?? 0);
      return { ...use, bytes, isStale: stale.has(use.siteId), putAwayAt: away?.at ?? null };
    });
    const chosen = sitesInMemory(sites, this.most, now, isLearning);
    return this.visits.mayBegin(now) ? chosen : { ...chosen, visited: null };
  }

  /** A visit is over that began at a moment of the monotonic clock. */
  visited(fromAt: number): void {
    this.visits.took(fromAt, performance.now());
  }
}

const EVERYTHING: MostInMemory = { sites: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
/** Of a thread's time, however many sites there are. */
const VISITS_SHARE = 0.1;
