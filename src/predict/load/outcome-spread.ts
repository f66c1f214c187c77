import { NOTHING_KNOWN } from '../../domain/forecast.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { RecentValues } from '../../stats/recent-values.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';

/** The percentiles of what was expected like that, and how many outcomes they rest on. */
export interface KnownSpread {
  readonly percentiles: readonly number[];
  readonly sampleSize: number;
}

/**
 * What came of expectations: the outcomes of the most recent ones, apart by how much was expected, in half octaves. The
 * percentiles of a new expectation are those of the outcomes of its like. These are sorted when they are asked for,
 * which is seldom: kept in order, too, the hundreds of samples of a site took twice as much.
 */
export class OutcomeSpread {
  private readonly bins = new Map<number, RecentValues>();
  private readonly spreads = new Map<number, KnownSpread>();

  add(expected: number, actual: number): void {
    const bin = binOf(expected);
    let sample = this.bins.get(bin);
    if (!sample) {
      sample = new RecentValues(BIN_CAPACITY, true);
      this.bins.set(bin, sample);
    }
    sample.add(actual);
    this.spreads.clear();
  }

  /** Infinite percentiles where no outcome is known, or too few for a level. */
  of(expected: number): KnownSpread {
    const bin = binOf(expected);
    let spread = this.spreads.get(bin);
    if (!spread) {
      spread = this.computed(bin);
      this.spreads.set(bin, spread);
    }
    return spread;
  }

  private computed(bin: number): KnownSpread {
    const own = this.bins.get(bin);
    const rising = (own && own.size >= FEWEST ? own.newest() : this.outcomesAround(bin)).sort();
    if (rising.length === 0) return { percentiles: NOTHING_KNOWN, sampleSize: 0 };
    const percentiles = percentileRanks(rising.length, UNBIASED).map((rank) =>
      rank === null ? Number.POSITIVE_INFINITY : (rising[rank - 1] as number),
    );
    return { percentiles, sampleSize: rising.length };
  }

  /** The outcomes of the bin, and of its neighbours as far as it takes to have enough. */
  private outcomesAround(bin: number): Float64Array {
    const around: number[] = [];
    for (let away = 0; away <= BINS && around.length < FEWEST; away++) {
      for (const near of away === 0 ? [bin] : [bin - away, bin + away]) {
        around.push(...(this.bins.get(near)?.newest() ?? []));
      }
    }
    return Float64Array.from(around);
  }
}

/** The half octave of an expectation in processors, from a hundredth of one up. */
function binOf(expected: number): number {
  if (!(expected > LEAST_EXPECTED)) return 0;
  return Math.min(BINS, 1 + Math.floor(2 * Math.log2(expected / LEAST_EXPECTED)));
}

const LEAST_EXPECTED = 0.01;
const BINS = 80;
const BIN_CAPACITY = 400;
/** The 99th percentile needs as many. */
const FEWEST = 150;

keepClass(OutcomeSpread);
