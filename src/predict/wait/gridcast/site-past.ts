import { DAY_SECONDS, type EpochSeconds } from '../../../domain/clock.ts';
import { plannedWalltimeSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import type { JobShape } from '../backfill-pass.ts';
import { ObservedSeries } from '../observed-series.ts';
import { plannedWaitSeconds, type SiteLoad } from '../site-load.ts';

interface Arrival {
  readonly submitAt: EpochSeconds;
  readonly processorSeconds: number;
}

/** The last day of a site in short, and its loads of the last week. */
export class SitePast {
  private readonly week = new ObservedSeries<SiteLoad>({ leastApartSeconds: QUARTER_SECONDS, mostKept: 800 });
  private day: SiteLoad[] = [];
  private arrivals: Arrival[] = [];
  private observedAt: EpochSeconds = Number.POSITIVE_INFINITY;

  /** @param load that of the state, newer than all before */
  observe(state: Snapshot, load: SiteLoad): void {
    const since = this.observedAt;
    this.observedAt = state.observedAt;
    const yesterday = state.observedAt - DAY_SECONDS;
    this.arrivals = this.arrivals.filter(({ submitAt }) => submitAt > yesterday);
    for (const job of [...state.waiting, ...state.running]) {
      if (job.submitAt <= since) continue;
      this.arrivals.push({ submitAt: job.submitAt, processorSeconds: job.processors * plannedWalltimeSeconds(job) });
    }
    this.week.add(load);
    if (load.observedAt < (this.day.at(-1)?.observedAt ?? 0) + HALF_HOUR_SECONDS) return;
    this.day.push(load);
    this.day = this.day.filter(({ observedAt }) => observedAt > yesterday);
  }

  /** Processors' worth of work, as requested, that came in the last so many seconds; at most a day. */
  arrivedProcessors(seconds: number): number {
    const from = this.observedAt - seconds;
    const recent = this.arrivals.filter(({ submitAt }) => submitAt > from);
    return recent.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0) / seconds;
  }

  /** Mean of what was free in the last so many seconds; at most a day. Not-a-number before the first observation. */
  meanFreeProcessors(seconds: number): number {
    return meanOf(this.lastLoads(seconds).map(({ freeProcessors }) => freeProcessors[0] as number));
  }

  /** In what share of each of some last seconds, at most a day, the job would have started at once by the plan. */
  startableShares<Windows extends readonly number[]>(
    job: JobShape,
    windows: Windows,
  ): { [Each in keyof Windows]: number } {
    const states = this.lastLoads(DAY_SECONDS).map((load) => ({
      agoSeconds: this.observedAt - load.observedAt,
      isStartable: plannedWaitSeconds(load, job.processors, job.walltimeSeconds) === 0 ? 1 : 0,
    }));
    const shareOf = (seconds: number) =>
      meanOf(states.filter(({ agoSeconds }) => agoSeconds < seconds).map(({ isStartable }) => isStartable));
    return windows.map(shareOf) as { [Each in keyof Windows]: number };
  }

  /**
   * What was planned for the job at the last such moment of a cycle of days, at most seven; not-a-number when that was
   * not seen.
   */
  plannedWaitDaysBefore({ processors, walltimeSeconds }: JobShape, at: EpochSeconds, days: number): number {
    const cycle = days * DAY_SECONDS;
    const cyclesAhead = Math.ceil(Math.max(1, at - this.observedAt) / cycle);
    const load = this.week.newestUpTo(at - cyclesAhead * cycle);
    return load ? plannedWaitSeconds(load, processors, walltimeSeconds) : Number.NaN;
  }

  private lastLoads(seconds: number): readonly SiteLoad[] {
    const from = this.observedAt - seconds;
    return this.day.filter(({ observedAt }) => observedAt > from);
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Almost, as snapshots do not come by the second. */
const QUARTER_SECONDS = 890;
const HALF_HOUR_SECONDS = 1790;
