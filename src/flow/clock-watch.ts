import type { EpochSeconds } from '../domain/clock.ts';
import { isSiteAsleepBeyond, wakeSleepingRows } from '../store/sleeping-rows.ts';
import type { FlowContext } from './context.ts';

/** Clocks that are kept right by small steps back are not told. */
const TOLERATED_MILLISECONDS = 2000;
/** No site sleeps longer by a clock that was right. */
const MOST_INTERVALS = 2;

/**
 * Sees that the service's clock was set back, as when one that was wrong is put right: rows that were put to sleep
 * before would sleep until the clock shows once more what it did then. All of them are woken, and again once the turns
 * have ended that began before. That it was set back while no worker ran shows by a site that sleeps too long.
 */
export class ClockWatch {
  private shownAt: EpochSeconds | null = null;
  private againMilliseconds = Number.POSITIVE_INFINITY;

  /** Looks at the clock, and wakes what sleeps where it was set back. */
  async look(context: FlowContext): Promise<void> {
    const { clock, database, settings, logger } = context;
    const now = clock.now();
    const isSetBack = await this.isSetBack(context, now);
    if (isSetBack || performance.now() >= this.againMilliseconds) {
      const count = await wakeSleepingRows(database.db, now);
      logger.warn({ count }, 'the clock was set back: whatever sleeps is woken');
      this.againMilliseconds = isSetBack ? performance.now() + settings.stepMilliseconds : Number.POSITIVE_INFINITY;
    }
    this.shownAt = now;
  }

  private async isSetBack({ clock, database, settings }: FlowContext, now: EpochSeconds): Promise<boolean> {
    if (this.shownAt !== null) return clock.wallMillisecondsUntil(this.shownAt) > TOLERATED_MILLISECONDS;
    return isSiteAsleepBeyond(database.db, now + MOST_INTERVALS * settings.observeIntervalSeconds);
  }
}
