import type { EpochSeconds } from '../../domain/clock.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { BackfillPass } from '../../predict/wait/backfill-pass.ts';
import type { ReservedWork } from './promising-site.ts';

/** How long work would have held its processors before its start; null where it would not have been in time. */
export interface ForeseenHolds {
  /** Submitted at the latest moment that was early enough: nobody pays less for its being kept. */
  readonly latestSeconds: number | null;
  /** Submitted as soon as it was promised. */
  readonly atOnceSeconds: number | null;
}

/**
 * Watches what would have become of one piece of work at every submission time, a snapshot apart: what somebody who
 * knew the true waits would have chosen. The work is thought of beside the other jobs of the site; how it would have
 * put those off is left out.
 */
export class Foresight {
  private open: EpochSeconds[] = [];
  private readonly startAts = new Map<EpochSeconds, EpochSeconds>();
  private firstSubmitAt: EpochSeconds | null = null;
  private seenAt: EpochSeconds = Number.NEGATIVE_INFINITY;

  constructor(private readonly work: ReservedWork) {}

  /** Takes in what the site says at a moment, the work's own job left out; moments after its start tell nothing. */
  look(state: Snapshot): void {
    const { processors, runSeconds, startAt } = this.work;
    const { observedAt } = state;
    if (observedAt > startAt || observedAt <= this.seenAt) return;
    const pass = new BackfillPass(state);
    this.firstSubmitAt ??= observedAt;
    this.open = [...this.open, observedAt].filter((submitAt) => {
      const walltimeSeconds = runSeconds + startAt - submitAt;
      if (!pass.wouldStart({ processors, walltimeSeconds }, submitAt)) return true;
      this.startAts.set(submitAt, submitAt === observedAt ? submitAt : (this.seenAt + observedAt) / 2);
      return false;
    });
    this.seenAt = observedAt;
  }

  get holds(): ForeseenHolds {
    const latest = Math.max(...this.startAts.keys());
    return { latestSeconds: this.holdOf(latest), atOnceSeconds: this.holdOf(this.firstSubmitAt ?? Number.NaN) };
  }

  private holdOf(submitAt: EpochSeconds): number | null {
    const startedAt = this.startAts.get(submitAt);
    return startedAt === undefined ? null : this.work.startAt - startedAt;
  }
}
