import type { Clock, EpochSeconds } from '../src/domain/clock.ts';

/**
 * A clock that moves only when a test moves it. Sleepers wake in the order of their moments, ties in the order of
 * arrival.
 */
export class SteppedClock implements Clock {
  private sleepers: { at: EpochSeconds; wake: () => void }[] = [];

  constructor(private present: EpochSeconds) {}

  now(): EpochSeconds {
    return this.present;
  }

  wallMillisecondsUntil(at: EpochSeconds): number {
    return Math.max(0, (at - this.present) * 1000);
  }

  sleepUntil(at: EpochSeconds, signal?: AbortSignal): Promise<void> {
    if (at <= this.present || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { at, wake: resolve };
      this.sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.sleepers = this.sleepers.filter((other) => other !== sleeper);
        resolve();
      });
    });
  }

  /** Moves the clock forward and wakes whoever was waiting for a moment up to `at`. Throws when asked to go back. */
  advanceTo(at: EpochSeconds): void {
    if (at < this.present) throw new RangeError(`a stepped clock cannot go back from ${this.present} to ${at}`);
    this.present = at;
    const due = this.sleepers.filter((sleeper) => sleeper.at <= at).sort((a, b) => a.at - b.at);
    this.sleepers = this.sleepers.filter((sleeper) => sleeper.at > at);
    for (const sleeper of due) sleeper.wake();
  }
}
