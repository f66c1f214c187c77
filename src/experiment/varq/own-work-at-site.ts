import type { EpochSeconds } from '../../domain/clock.ts';
import { type HeldWork, type JobOnTheWay, type Snapshot, withJobsOnTheWay } from '../../domain/snapshot.ts';
import { HeldWorkDelay } from '../../predict/wait/held-work-delay.ts';

/** What promises have handed in at a site since its newest snapshot, and what they hold back. */
export class OwnWorkAtSite {
  /** The newest snapshot with what was handed in since; null before the first. */
  state: Snapshot | null = null;
  private snapshot: Snapshot | null = null;
  private onTheWay: readonly JobOnTheWay[] = [];
  private readonly held = new Map<object, HeldWork>();

  /** A new snapshot, which shows all that was handed in before. */
  observed(snapshot: Snapshot): void {
    this.onTheWay = [];
    this.snapshot = snapshot;
    this.state = snapshot;
  }

  handedIn(nativeId: string, submitAt: EpochSeconds, processors: number, requestedWalltimeSeconds: number): void {
    if (!this.snapshot) return;
    const job = { executionId: nativeId, key: null, queue: null, processors, requestedWalltimeSeconds, submitAt };
    this.onTheWay = [...this.onTheWay, job];
    this.state = withJobsOnTheWay(this.snapshot, this.onTheWay);
  }

  /** Takes in what a promise holds back from now on; null for nothing any more. */
  noteHeld(by: object, work: HeldWork | null): void {
    if (work) this.held.set(by, work);
    else this.held.delete(by);
  }

  /** Whether promises hold anything back. */
  get isHeldBack(): boolean {
    return this.held.size > 0;
  }

  /**
   * By how much what is held back delays a promise that gives way to those that were made before; null where none is.
   * @param by the promise; null for one that is only asked for
   * @param state what the site says without its job
   */
  delayOf(by: object | null, state: Snapshot | null): HeldWorkDelay | null {
    const promises = [...this.held.keys()];
    const place = by === null ? promises.length : promises.indexOf(by);
    const before = [...this.held.values()].slice(0, Math.max(0, place));
    return state && before.length > 0 ? new HeldWorkDelay(state, before) : null;
  }
}
