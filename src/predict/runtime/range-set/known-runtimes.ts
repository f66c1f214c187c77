import { keepClass } from '../../../domain/kept-classes.ts';
/** How long a job ran, and in what circumstances. */
export interface KnownRuntime {
  readonly seconds: number;
  readonly requestedWalltimeSeconds: number | null;
  /** Share of the machine that was in use while it ran. */
  readonly load: number;
}

/** The runtimes of jobs that have something in common, the newest last, and the range of all that ever were. */
export class KnownRuntimes {
  private kept: KnownRuntime[] = [];
  leastSeconds = Number.POSITIVE_INFINITY;
  mostSeconds = Number.NEGATIVE_INFINITY;

  /** @param capacity how many are kept */
  constructor(private readonly capacity: number) {}

  add(runtime: KnownRuntime): void {
    this.leastSeconds = Math.min(this.leastSeconds, runtime.seconds);
    this.mostSeconds = Math.max(this.mostSeconds, runtime.seconds);
    this.kept.push(runtime);
    if (this.kept.length >= MOST_OVER * this.capacity) this.kept = this.kept.slice(-this.capacity);
  }

  get newest(): readonly KnownRuntime[] {
    return this.kept.length > this.capacity ? this.kept.slice(-this.capacity) : this.kept;
  }

  /**
   * The relevant ones: the ten newest, and older ones until 90 % of the range of all are spanned. The newest last.
   * Source: hariharan-end-to-end-predictions, section III-C.
   */
  get relevant(): readonly KnownRuntime[] {
    const newest = this.newest;
    const enough = LEAST_SPANNED * (this.mostSeconds - this.leastSeconds);
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let first = newest.length;
    while (first > 0 && (newest.length - first < LEAST_JOBS || most - least < enough)) {
      const { seconds } = newest[--first] as KnownRuntime;
      [least, most] = [Math.min(least, seconds), Math.max(most, seconds)];
    }
    return newest.slice(first);
  }
}

/** How many times as many are held, so that they need not be copied each time. */
const MOST_OVER = 1.2;
const LEAST_JOBS = 10;
const LEAST_SPANNED = 0.9;

keepClass(KnownRuntimes);
