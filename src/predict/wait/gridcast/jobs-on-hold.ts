import { type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';

/**
 * Tells jobs that wait for their turn from those that only stand in the queue: put on hold by their owners, or left
 * over in the records. A job counts as on hold when it has waited for more than a week and longer than jobs are known
 * to wait there. Old longest waits are forgotten by half in 7,000 waits.
 */
export class JobsOnHold {
  private longestSeconds = WEEK_SECONDS;
  private latest: { readonly state: Snapshot; readonly without: Snapshot } | null = null;

  learn(record: StartedRecord): void {
    this.longestSeconds = Math.max(WEEK_SECONDS, FORGETTING * this.longestSeconds, waitSeconds(record));
    this.latest = null;
  }

  /** The state without its held jobs: the very same object when there are none, or when nothing was learned since. */
  without(state: Snapshot): Snapshot {
    if (this.latest?.state === state) return this.latest.without;
    const oldest = state.observedAt - this.longestSeconds;
    const isHeld = state.waiting.some(({ submitAt }) => submitAt < oldest);
    const waiting = state.waiting.filter(({ submitAt }) => submitAt >= oldest);
    this.latest = { state, without: isHeld ? { ...state, waiting } : state };
    return this.latest.without;
  }
}

const WEEK_SECONDS = 604_800;
const FORGETTING = 0.9999;
