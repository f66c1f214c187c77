import type { EpochSeconds } from '../../domain/clock.ts';
import type { OutsideKnownRange } from '../../domain/known-range.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { type Excess, KnownRange } from './known-range.ts';
import { siteQuantities } from './site-quantities.ts';

/**
 * Whether a site has left the range in which it is known, and for how long. It is back when it has been within for two
 * hours; it is followed when it has been watched for two hours since it left.
 */
export class SiteRange {
  private readonly known = new KnownRange();
  private left: { readonly excess: Excess; readonly sinceAt: EpochSeconds; readonly lastAt: EpochSeconds } | null =
    null;
  private observedAt: EpochSeconds = Number.NEGATIVE_INFINITY;
  /** When it was last seen outside. */
  private outsideAt: EpochSeconds = Number.NEGATIVE_INFINITY;

  /**
   * Takes in what the site says at one moment, not before the last.
   * @param lateness how many times as long as forecast jobs wait
   */
  observe(state: Snapshot, lateness: number): void {
    this.observedAt = state.observedAt;
    const values = { ...siteQuantities(state), LATENESS: lateness };
    const excess = this.known.excessOf(values, state.processors);
    if (excess) this.left = { excess, sinceAt: this.left?.sinceAt ?? state.observedAt, lastAt: state.observedAt };
    else if (this.left && state.observedAt - this.left.lastAt >= BACK_SECONDS) this.left = null;
    if (excess) this.outsideAt = state.observedAt;
    this.known.observe(state.observedAt, values);
  }

  /** Whether it was outside within the last day: what was learned before may not hold yet again. */
  get isUnfamiliar(): boolean {
    return this.observedAt - this.outsideAt < UNFAMILIAR_SECONDS;
  }

  /** Null while it is within, and before a day is known. */
  get outside(): OutsideKnownRange | null {
    if (!this.left) return null;
    const { excess, sinceAt } = this.left;
    return { ...excess, sinceAt, isFollowed: this.observedAt - sinceAt >= FOLLOWED_SECONDS };
  }
}

const UNFAMILIAR_SECONDS = 86_400;
const BACK_SECONDS = 7200;
const FOLLOWED_SECONDS = 7200;
