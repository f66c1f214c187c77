import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { type OutsideKnownRange, RANGE_QUANTITIES, type RangeQuantity } from '../../domain/known-range.ts';

/** A quantity beyond what is known of it. */
export type Excess = Pick<OutsideKnownRange, 'what' | 'value' | 'knownUpTo'>;

/** Every quantity at one moment. */
export type RangeValues = Readonly<Record<RangeQuantity, number>>;

/**
 * The range in which a site has been seen: for each quantity the value that was exceeded in a two-hundredth of the time
 * at most. A day must pass before what is seen counts as known, for until then hardly anything is learned from it;
 * older times are forgotten by half in a hundred days and more. A site is outside when a quantity is half as large
 * again as what is known (submissions: twice as large), and large enough to matter.
 */
export class KnownRange {
  private readonly counts = new Map<RangeQuantity, number[]>(RANGE_QUANTITIES.map((what) => [what, []]));
  private known = 0;
  private recent: { readonly at: EpochSeconds; readonly values: RangeValues }[] = [];
  private countedAt: EpochSeconds = Number.NEGATIVE_INFINITY;

  /** Takes in a moment, later than all before; what comes sooner than five minutes after the last is left out. */
  observe(at: EpochSeconds, values: RangeValues): void {
    if (at - this.countedAt < LEAST_APART_SECONDS) return;
    this.countedAt = at;
    this.recent.push({ at, values });
    const from = this.recent.findIndex((one) => one.at > at - DAY_SECONDS);
    for (const old of this.recent.splice(0, from)) this.count(old.values);
  }

  /**
   * What is farthest beyond the known range; null when nothing is, or less than a day is known.
   * @param processors size of the machine
   */
  excessOf(values: RangeValues, processors: number): Excess | null {
    if (this.known < FEWEST_MOMENTS) return null;
    const excesses = RANGE_QUANTITIES.flatMap((what) => {
      const [value, knownUpTo] = [values[what], this.knownUpTo(what)];
      const isOutside = value > TOLERANCE[what] * knownUpTo && value >= leastOf(what, processors);
      return isOutside ? [{ what, value, knownUpTo }] : [];
    });
    const farOf = ({ value, knownUpTo }: Excess) => value / (1 + knownUpTo);
    return excesses.reduce<Excess | null>((most, one) => (most && farOf(most) >= farOf(one) ? most : one), null);
  }

  private knownUpTo(what: RangeQuantity): number {
    const counts = this.counts.get(what) ?? [];
    let left = RARE_SHARE * this.known;
    const bin = counts.findLastIndex((count) => {
      left -= count ?? 0;
      return left < 0;
    });
    return upperEndOf(what, bin);
  }

  private count(values: RangeValues): void {
    this.known++;
    for (const [what, counts] of this.counts) {
      const bin = binOf(values[what]);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    if (this.known < MOST_MOMENTS) return;
    this.known /= 2;
    for (const [what, counts] of this.counts)
      this.counts.set(
        what,
        Array.from(counts, (count) => (count ?? 0) / 2),
      );
  }
}

/** Bins of a quarter octave of one more than the value. */
function binOf(value: number): number {
  return Math.floor(4 * Math.log2(1 + value) + ROUNDING);
}

/** The largest value of a bin, a whole one where values are; at least 0. */
function upperEndOf(what: RangeQuantity, bin: number): number {
  const end = 2 ** ((bin + 1) / 4) - 1;
  return Math.max(0, what === 'LATENESS' ? end : Math.ceil(end - ROUNDING) - 1);
}

/** Less than that is nothing to speak of, wherever it is seen first. */
function leastOf(what: RangeQuantity, processors: number): number {
  return what === 'WAITING_PROCESSORS' ? processors / 2 : LEAST[what];
}

const LEAST = { WAITING_JOBS: 10, ARRIVALS: 20, WAITS: 900, LATENESS: 2 } as const;
/** How many times what is known; bursts of submissions are the most common exceedances, and pass. */
const TOLERANCE: RangeValues = { WAITING_JOBS: 1.5, WAITING_PROCESSORS: 1.5, ARRIVALS: 2, WAITS: 1.5, LATENESS: 1.5 };
const RARE_SHARE = 0.005;
const LEAST_APART_SECONDS = 250;
/** Most of a day. */
const FEWEST_MOMENTS = 200;
const MOST_MOMENTS = 60_000;
const ROUNDING = 1e-9;

keepClass(KnownRange);
