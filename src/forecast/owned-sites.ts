import { decideMove, OWNERSHIP_SECONDS, preferredOwners } from '../domain/ownership.ts';
import type { Db } from '../store/database.ts';
import { giveUpOwnerships, lookAtOwners, moveOwnerships, noteCost } from '../store/site-owners.ts';

/** The sites that this thread learns for everybody, see `src/domain/ownership.ts`. */
export class OwnedSites {
  private epochs: ReadonlyMap<string, number> = new Map();
  /** When that stops being so by itself, in milliseconds of a monotonic clock. */
  private until = Number.NEGATIVE_INFINITY;

  /**
   * @param me the number of this process among those that share the database
   * @param isHere whether this thread, of those of its process, looks after a site
   */
  constructor(
    private readonly db: Db,
    private readonly me: number,
    private readonly isHere: (siteId: string) => boolean = () => true,
  ) {}

  /** Says that this process lives, takes what it should own and gives back what another one should. */
  async look(): Promise<void> {
    const lookedAt = performance.now();
    const { now, processIds, sites } = await lookAtOwners(this.db, this.me);
    const preferred = preferredOwners(
      sites.map(({ siteId, costSeconds }) => ({ siteId, cost: costSeconds })),
      processIds,
    );
    const moves = sites
      .filter(({ siteId }) => this.isHere(siteId))
      .map((seen) => ({ seen, move: decideMove(seen, this.me, preferred.get(seen.siteId) ?? null, now) }));
    this.epochs = await moveOwnerships(this.db, this.me, moves);
    this.until = lookedAt + 1000 * OWNERSHIP_SECONDS;
  }

  /** Under which epoch it owns a site; null when it does not, or can no longer be sure. */
  epochOf(siteId: string): number | null {
    return performance.now() < this.until ? (this.epochs.get(siteId) ?? null) : null;
  }

  /** Notes what living through a site's past took, so that sites are spread by it. */
  async noteCost(siteId: string, costSeconds: number): Promise<void> {
    const epoch = this.epochOf(siteId);
    if (epoch !== null) await noteCost(this.db, siteId, epoch, costSeconds);
  }

  async close(): Promise<void> {
    this.epochs = new Map();
    await giveUpOwnerships(this.db, this.me);
  }
}
