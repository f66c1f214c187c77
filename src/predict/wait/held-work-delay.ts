import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../../domain/forecast.ts';
import { plannedWalltimeSeconds } from '../../domain/job.ts';
import type { HeldWork, Snapshot } from '../../domain/snapshot.ts';
import { delayed } from './own-jobs-delay.ts';
import { gapFor, occupied, planLoad, type SiteLoad } from './site-load.ts';

/**
 * By how much work that is held back for a site delays a job that gives way to it: the difference that it makes to the
 * job's start when the site's queue is planned forward with requested walltimes. Work that leaves room for the job
 * makes none.
 */
export class HeldWorkDelay {
  private readonly held: readonly HeldWork[];
  private planned: { readonly without: SiteLoad; readonly withAll: SiteLoad } | null = null;

  /**
   * @param state what the site says
   * @param held in any order; beyond 300 pieces those that are submitted last are left out
   */
  constructor(
    private readonly state: Snapshot,
    held: readonly HeldWork[],
  ) {
    this.held = held.toSorted((a, b) => a.submitAt - b.submitAt).slice(0, MOST_HELD);
  }

  /** What was said of a job, with the delay that it makes. */
  applyTo(said: WaitForecast, query: WaitQuery): WaitForecast {
    const seconds = this.secondsFor(query);
    return seconds > 0 ? delayed(said, said, seconds) : said;
  }

  /** At least 0; 0, too, for a job that never fits. */
  secondsFor(query: WaitQuery): number {
    const { without, withAll } = this.loads();
    const startWith = (load: SiteLoad) =>
      gapFor(load, query.processors, plannedWalltimeSeconds(query), query.submitAt).startAt;
    const seconds = startWith(withAll) - startWith(without);
    return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
  }

  private loads(): { readonly without: SiteLoad; readonly withAll: SiteLoad } {
    if (!this.planned) {
      const without = planLoad(this.state);
      this.planned = { without, withAll: this.held.reduce(withHeld, without) };
    }
    return this.planned;
  }
}

/** The load with one more piece of work, in the earliest gap from its submission on; the same where it never fits. */
function withHeld(load: SiteLoad, { processors, walltimeSeconds, submitAt, holdUntilAt }: HeldWork): SiteLoad {
  const endAfter = (startAt: EpochSeconds) => Math.max(startAt, holdUntilAt ?? startAt) + walltimeSeconds;
  const { startAt } = gapFor(load, processors, endAfter(submitAt) - submitAt, submitAt);
  return Number.isFinite(startAt) ? occupied(load, processors, startAt, endAfter(startAt)) : load;
}

const MOST_HELD = 300;
