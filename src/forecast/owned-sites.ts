import {
  decideMove,
  learningProcesses,
  OWNERSHIP_SECONDS,
  type OwnershipMove,
  type OwningThread,
  preferredOwners,
  processOf,
  sitesToGive,
} from '../domain/ownership.ts';
import type { Db } from '../store/database.ts';
import { giveUpOwnerships, lookAtOwners, moveOwnerships, noteCost, type OwnedSite } from '../store/site-owners.ts';

/** The sites that this thread learns for everybody, see `src/domain/ownership.ts`. */
export class OwnedSites {
  private epochs: ReadonlyMap<string, number> = new Map();
  /** Those whose newest checkpoint somebody could not use. */
  private faulty: ReadonlySet<string> = new Set();
  /** When that stops being so by itself, in milliseconds of a monotonic clock. */
  private until = Number.NEGATIVE_INFINITY;

  /**
   * @param me this thread among those of all processes that share the database
   * @param isHere whether this thread, of those of its process, looks after a site
   */
  constructor(
    private readonly db: Db,
    private readonly me: OwningThread,
    private readonly isHere: (siteId: string) => boolean = () => true,
  ) {}

  /** Says that this thread lives, takes what it should own and gives back what another one should much rather. */
  async look(): Promise<void> {
    const lookedAt = performance.now();
    const { now, threads, sites } = await lookAtOwners(this.db, this.me);
    const costs = sites.map(({ siteId, costSeconds: cost, ownerId, until }) => {
      return { siteId, cost, owner: ownerId !== null && until > now ? processOf(ownerId) : null };
    });
    const process = processOf(this.me.threadId);
    const processes = learningProcesses(threads);
    const learns = processes.includes(process);
    const preferred = preferredOwners(costs, processes);
    const given = sitesToGive(costs, processes, process, preferred);
    const moves = sites.map((seen, i) => {
      const isKept = costs[i]?.owner === process && !given.has(seen.siteId);
      const owner = isKept ? process : (preferred.get(seen.siteId) ?? null);
      return { seen, move: learns ? this.moveOf(seen, owner, now) : this.leaving(seen) };
    });
    this.epochs = await moveOwnerships(this.db, this.me.threadId, moves);
    this.faulty = new Set(sites.filter(({ isFaulty }) => isFaulty).map(({ siteId }) => siteId));
    this.until = lookedAt + 1000 * OWNERSHIP_SECONDS;
  }

  /** A site that another thread of this process looks after is given to that one. */
  private moveOf(seen: OwnedSite, preferredProcess: number | null, now: number): OwnershipMove {
    if (!this.isHere(seen.siteId)) return this.leaving(seen);
    const { threadId } = this.me;
    const isOurs = preferredProcess === processOf(threadId);
    return decideMove(seen, threadId, isOurs || preferredProcess === null ? threadId : NOT_ME, now);
  }

  /** Of a site that is for others. */
  private leaving({ ownerId }: OwnedSite): OwnershipMove {
    return ownerId === this.me.threadId ? 'give' : 'leave';
  }

  /** Under which epoch it owns a site; null when it does not, or can no longer be sure. */
  epochOf(siteId: string): number | null {
    return performance.now() < this.until ? (this.epochs.get(siteId) ?? null) : null;
  }

  /** Whether somebody could not use the newest checkpoint of a site, as of the last look. */
  isFaulty(siteId: string): boolean {
    return this.faulty.has(siteId);
  }

  /** Notes what living through a site's past took, so that sites are spread by it. */
  async noteCost(siteId: string, costSeconds: number): Promise<void> {
    const epoch = this.epochOf(siteId);
    if (epoch !== null) await noteCost(this.db, siteId, epoch, costSeconds);
  }

  async close(): Promise<void> {
    this.epochs = new Map();
    await giveUpOwnerships(this.db, this.me.threadId);
  }
}

/** The number of no thread. */
const NOT_ME = -1;
