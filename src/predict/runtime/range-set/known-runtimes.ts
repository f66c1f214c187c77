import { keepClass } from '../../../domain/kept-classes.ts';

/** How long a job ran, and in what circumstances. */
export interface KnownRuntime {
  readonly seconds: number;
  readonly requestedWalltimeSeconds: number | null;
  /** Share of the machine that was in use while it ran; not-a-number where that is not kept. */
  readonly load: number;
  /** Which of the jobs that were learned from it was. */
  readonly number: number;
}

/** The runtimes of jobs that have something in common, the newest last, and the range of all that ever were. */
export class KnownRuntimes {
  /** Of each its seconds, its walltime and its number: an object of each would take twice as much memory. */
  private kept: number[] = [];
  private loads: number[] | null;
  leastSeconds = Number.POSITIVE_INFINITY;
  mostSeconds = Number.NEGATIVE_INFINITY;

  /**
   * @param capacity how many are kept
   * @param keepsLoads whether anybody asks for them
   */
  constructor(
    private readonly capacity: number,
    keepsLoads: boolean,
  ) {
    this.loads = keepsLoads ? [] : null;
  }

  add({ seconds, requestedWalltimeSeconds, load, number }: KnownRuntime): void {
    this.leastSeconds = Math.min(this.leastSeconds, seconds);
    this.mostSeconds = Math.max(this.mostSeconds, seconds);
    this.kept.push(seconds, requestedWalltimeSeconds ?? Number.NaN, number);
    this.loads?.push(load);
    if (this.kept.length < MOST_OVER * this.capacity * NUMBERS_OF_ONE) return;
    this.kept = this.kept.slice(-this.capacity * NUMBERS_OF_ONE);
    this.loads = this.loads && this.loads.slice(-this.capacity);
  }

  get newest(): readonly KnownRuntime[] {
    const count = this.kept.length / NUMBERS_OF_ONE;
    const first = Math.max(0, count - this.capacity);
    return Array.from({ length: count - first }, (_, i) => this.at(first + i));
  }

  private at(index: number): KnownRuntime {
    const from = index * NUMBERS_OF_ONE;
    const requested = this.kept[from + 1] as number;
    return {
      seconds: this.kept[from] as number,
      requestedWalltimeSeconds: Number.isNaN(requested) ? null : requested,
      load: this.loads?.[index] ?? Number.NaN,
      number: this.kept[from + 2] as number,
    };
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
const NUMBERS_OF_ONE = 3;
const LEAST_JOBS = 10;
const LEAST_SPANNED = 0.9;

keepClass(KnownRuntimes);
