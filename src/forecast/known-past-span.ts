import { DAY_SECONDS, type EpochSeconds } from '../domain/clock.ts';

/**
 * How much of a site's past is known: from the first moment that something is known of to the newest, without the days
 * of which nothing is.
 */
export class KnownPastSpan {
  private oldestAt = Number.POSITIVE_INFINITY;
  private newestAt = Number.NEGATIVE_INFINITY;
  private readonly days = new Set<number>();

  /** Takes in a moment of which something is known; in any order. */
  add(at: EpochSeconds): void {
    this.oldestAt = Math.min(this.oldestAt, at);
    this.newestAt = Math.max(this.newestAt, at);
    this.days.add(Math.floor(at / DAY_SECONDS));
  }

  /** In seconds; 0 when nothing is known. */
  get seconds(): number {
    return this.days.size === 0 ? 0 : Math.min(this.newestAt - this.oldestAt, this.days.size * DAY_SECONDS);
  }
}
