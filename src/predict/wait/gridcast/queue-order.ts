import type { EpochSeconds } from '../../../domain/clock.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { BackfillPass } from '../backfill-pass.ts';

/**
 * Whether a site is seen to let jobs past one that does not fit, as backfilling does, or starts them in their order.
 * Two things tell: jobs that start while one that was submitted before them still waits, and jobs that backfilling
 * would have started at a snapshot and that still wait at the next one. A site is taken to let jobs past until several
 * of the latter were seen and next to none of the former.
 */
export class QueueOrder {
  /** Jobs that started past one that waited. */
  private past = 0;
  /** Jobs that had to wait though backfilling would have started them. */
  private inOrder = 0;
  /** Waiting jobs that backfilling would have started at the newest snapshot. */
  private passing: ReadonlySet<string> = new Set();
  /** Of these, those that were counted already. */
  private counted: ReadonlySet<string> = new Set();
  private observedAt: EpochSeconds = Number.POSITIVE_INFINITY;

  get letsPast(): boolean {
    return this.inOrder < FEWEST_IN_ORDER || this.past > MOST_PAST_SHARE * (this.past + this.inOrder);
  }

  /** Takes in what the site says at one moment, later than all before. O(running + waiting jobs). */
  observe(state: Snapshot): void {
    const waiting = new Set(state.waiting.map(({ nativeId }) => nativeId));
    const firstSubmitAt = state.waiting.reduce(
      (first, { submitAt }) => Math.min(first, submitAt),
      Number.POSITIVE_INFINITY,
    );
    const started = state.running.filter(({ startAt }) => startAt > this.observedAt);
    this.past += started.filter(({ submitAt }) => submitAt > firstSubmitAt).length;
    const stayed = [...this.passing].filter((nativeId) => waiting.has(nativeId));
    this.inOrder += stayed.filter((nativeId) => !this.counted.has(nativeId)).length;
    this.counted = new Set(stayed);
    this.passing = new Set(new BackfillPass(state).passing().map(({ nativeId }) => nativeId));
    this.observedAt = state.observedAt;
    if (this.past + this.inOrder > MOST_COUNTED) {
      this.past /= 2;
      this.inOrder /= 2;
    }
  }
}

const FEWEST_IN_ORDER = 5;
const MOST_PAST_SHARE = 0.1;
/** The older half counts half, and so on. */
const MOST_COUNTED = 200;

keepClass(QueueOrder);
