import { isDatabaseAway, isDatabaseGone, isDatabaseRefusal } from '../store/database-away.ts';
import { giveWay } from './give-way.ts';

/**
 * Who lives through the past of a site; ends at once where that is not to be done any more.
 * @param giveWay waited for after every few milliseconds
 */
export type LiveThrough = (siteId: string, giveWay: () => Promise<void>) => Promise<void>;

/**
 * Sites that are to live through their pasts, one after the other. Nothing is read of one before its turn comes, so
 * those that wait hold nothing.
 */
export class PastsInTurn {
  /** In their order; the first has its turn. */
  private readonly waiting = new Set<string>();
  private running: Promise<void> | null = null;

  /** @param isAsked whether somebody waits for an answer of this thread; nobody unless told */
  constructor(
    private readonly liveThrough: LiveThrough,
    private readonly isAsked: () => boolean = () => false,
  ) {}

  /** Gives a site a turn, once, however often it is asked for until that is over. */
  want(siteId: string): void {
    this.waiting.add(siteId);
    this.running ??= this.runAll().finally(() => {
      this.running = null;
    });
  }

  /** A site needs no turn any more, or not now. */
  forget(siteId: string): void {
    if (!this.hasTurn(siteId)) this.waiting.delete(siteId);
  }

  /** Whether it is a site's turn now. */
  hasTurn(siteId: string): boolean {
    const [first] = this.waiting;
    return first === siteId;
  }

  private async runAll(): Promise<void> {
    for (const siteId of this.waiting) {
      await this.liveThrough(siteId, () => giveWay(this.isAsked)).catch(throwUnlessAway);
      this.waiting.delete(siteId);
    }
  }
}

/** A database that is away is asked again when the site is wanted again. @throws what is no fault of a database */
export function throwUnlessAway(error: unknown): void {
  if (!isDatabaseAway(error) && !isDatabaseGone(error) && !isDatabaseRefusal(error)) throw error;
}
