import { setTimeout as sleep } from 'node:timers/promises';

/** A queue store that has not answered by then is away. */
const PATIENCE_MILLISECONDS = 2000;
/** What could not be put in is tried again within half a minute, by the relay or the sweeper. */
const REFUSED_MILLISECONDS = 60_000;
/** Who takes wake-ups out asks every few seconds. */
const REFUSED_OUT_MILLISECONDS = 15_000;

/** Whether a queue store can be worked with: it answers in time, takes what is put in and gives what is there. */
export class QueueCondition {
  private asking: Promise<boolean> | null = null;
  private refusedUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly ask: () => Promise<unknown>) {}

  /** Puts something in and remembers how that ended. @throws whatever the work throws */
  async putIn(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.refusedUntil = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.refusedUntil = performance.now() + REFUSED_MILLISECONDS;
      throw error;
    }
  }

  /** Nothing could be taken out. */
  noteRefusal(): void {
    this.refusedUntil = Math.max(this.refusedUntil, performance.now() + REFUSED_OUT_MILLISECONDS);
  }

  /** A question that got no answer yet is not asked once more: they would all wait in line until the store is back. */
  async isGood(): Promise<boolean> {
    if (performance.now() < this.refusedUntil) return false;
    this.asking ??= this.ask()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.asking = null;
      });
    return Promise.race([this.asking, sleep(PATIENCE_MILLISECONDS, false, { ref: false })]);
  }
}
