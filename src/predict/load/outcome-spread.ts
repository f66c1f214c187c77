import { NOTHING_KNOWN } from '../../domain/forecast.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { OrderedSample } from '../../stats/ordered-sample.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';

/** The percentiles of what was expected like that, and how many outcomes they rest on. */
export interface KnownSpread {
  readonly percentiles: readonly number[];
  readonly sampleSize: number;
}

/**
 * What came of expectations: the outcomes of the most recent ones, apart by how much was expected, in half octaves. The
 * percentiles of a new expectation are those of the outcomes of its like.
 */
export class OutcomeSpread {
  private readonly bins = new Map<number, SlidingSample>();
  private readonly spreads = new Map<number, KnownSpread>();

  add(expected: number, actual: number): void {
    const bin = binOf(expected);
    let sample = this.bins.get(bin);
    if (!sample) {
      sample = new SlidingSample(BIN_CAPACITY);
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
    const sample = own && own.size >= FEWEST ? own : this.sampleAround(bin);
    if (sample.size === 0) return { percentiles: NOTHING_KNOWN, sampleSize: 0 };
    return { percentiles: sample.atAll(percentileRanks(sample.size, UNBIASED)), sampleSize: sample.size };
  }

  /** The outcomes of the bin, and of its neighbours as far as it takes to have enough. */
  private sampleAround(bin: number): OrderedSample {
    const around = new OrderedSample();
    for (let away = 0; away <= BINS && around.size < FEWEST; away++) {
      for (const near of away === 0 ? [bin] : [bin - away, bin + away]) {
        const sample = this.bins.get(near);
        for (const outcome of sample?.mostRecent(sample.size) ?? []) around.insert(outcome);
      }
    }
    return around;
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
