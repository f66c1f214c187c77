import { WEEK_SECONDS } from '../../../domain/clock.ts';
import { type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { MadeOfState } from '../made-of-state.ts';

/**
 * Tells jobs that wait for their turn from those that only stand in the queue: put on hold by their owners, or left
 * over in the records. A job counts as on hold when it has waited for more than a week and longer than jobs are known
 * to wait there. Old longest waits are forgotten by half in 7,000 waits.
 */
export class JobsOnHold {
  private longestSeconds = WEEK_SECONDS;
  private readonly present = new MadeOfState((state) => this.presentIn(state));

  /** What was made of the newest state, as long as nothing was learned since; it is known by its object. */
  private newest: { readonly state: Snapshot; readonly present: Snapshot } | null = null;

  /** As `without`, of a state that has just been observed. */
  observed(state: Snapshot): Snapshot {
    this.newest = { state, present: this.present.of(state) };
    return this.newest.present;
  }

  learn(record: StartedRecord): void {
    this.longestSeconds = Math.max(WEEK_SECONDS, FORGETTING * this.longestSeconds, waitSeconds(record));
    this.present.forget();
    this.newest = null;
  }

  /** The state without its held jobs: the very same object when there are none, or when nothing was learned since. */
  without(state: Snapshot): Snapshot {
    return this.newest?.state === state ? this.newest.present : this.present.of(state);
  }

  private presentIn(state: Snapshot): Snapshot {
    const oldest = state.observedAt - this.longestSeconds;
    const isHeld = state.waiting.some(({ submitAt }) => submitAt < oldest);
    const waiting = state.waiting.filter(({ submitAt }) => submitAt >= oldest);
    return isHeld ? { ...state, waiting } : state;
  }
}

const FORGETTING = 0.9999;
