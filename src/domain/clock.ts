/**
 * Seconds since 1970-01-01T00:00:00Z, fractions allowed. Every moment in the domain is one; names of moments end in
 * `At`.
 */
export type EpochSeconds = number;

export const DAY_SECONDS = 86_400;
export const WEEK_SECONDS = 7 * DAY_SECONDS;

/**
 * The only way to learn the time. The same code runs at wall time on real sites, accelerated in the demo and stepped in
 * tests.
 */
export interface Clock {
  /** The present moment on this clock. */
  now(): EpochSeconds;
  /** How many milliseconds of wall time pass until this clock shows `at`; 0 when it already does. */
  wallMillisecondsUntil(at: EpochSeconds): number;
  /** Resolves when this clock shows `at`, or at once when `signal` aborts. */
  sleepUntil(at: EpochSeconds, signal?: AbortSignal): Promise<void>;
}

/** Where a scaled clock stood at one wall moment, and how fast it runs. Shared by every process of one deployment. */
export interface ClockAnchor {
  /** Wall moment, milliseconds since the epoch. */
  readonly wallMilliseconds: number;
  /** What the clock showed then. */
  readonly at: EpochSeconds;
  /** Clock seconds per wall second; 1 is wall time. */
  readonly scale: number;
}

/** The two things of the outside world a running clock needs, injected so that this file stays pure. */
export interface WallTime {
  readMilliseconds(): number;
  /** Resolves after that many milliseconds of wall time, or at once when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * A clock that runs `scale` times as fast as wall time from its anchor on; scale 1 anchored at now is wall time. It
 * shows whole milliseconds, so that what two clocks of one machine show can be compared.
 */
export class ScaledClock implements Clock {
  constructor(
    readonly anchor: ClockAnchor,
    private readonly wall: WallTime,
  ) {
    if (!(anchor.scale > 0)) throw new RangeError(`clock scale ${anchor.scale} must be positive`);
  }

  now(): EpochSeconds {
    const passedMilliseconds = (this.wall.readMilliseconds() - this.anchor.wallMilliseconds) * this.anchor.scale;
    return Math.round(this.anchor.at * 1000 + passedMilliseconds) / 1000;
  }

  wallMillisecondsUntil(at: EpochSeconds): number {
    return Math.max(0, Math.ceil(((at - this.now()) / this.anchor.scale) * 1000));
  }

  async sleepUntil(at: EpochSeconds, signal?: AbortSignal): Promise<void> {
    for (
      let left = this.wallMillisecondsUntil(at);
      left > 0 && !signal?.aborted;
      left = this.wallMillisecondsUntil(at)
    ) {
      await this.wall.sleep(Math.min(left, LONGEST_TIMER_MILLISECONDS), signal);
    }
  }
}

/** Timers of Node.js hold a signed 32-bit number of milliseconds; longer ones fire at once. */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;
