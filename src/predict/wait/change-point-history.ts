import { keepClass } from '../../domain/kept-classes.ts';
import { autocorrelation } from '../../stats/autocorrelation.ts';
import { exceedanceRunLength } from '../../stats/exceedance-run-length.ts';
import { orderStatisticRank } from '../../stats/order-statistic-rank.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import { percentileRanks } from '../quantile-ranks.ts';

/** How one group of jobs is bounded and when its past stops counting. */
export interface ChangePointParameters {
  /** Quantile whose bound is watched for change points. */
  readonly quantile: number;
  /** Confidence of that bound and of the quantile table. */
  readonly confidence: number;
  /** With which confidence the percentiles are bounded when they are asked for; `confidence` unless told. */
  readonly statedConfidence?: number;
  /** How many waits are kept at most. */
  readonly capacity: number;
}

/**
 * Known waits of one group of jobs, with bounds of their percentiles. When so many waits in a row exceed the bound that
 * chance is no explanation, the past is forgotten but for the shortest history that still gives the bound. How many is
 * taken from the autocorrelation of the logarithms of the waits.
 *
 * Source: Brevik, Nurmi and Wolski, Predicting bounds on queuing delay, PPoPP 2006 (BMBP); nurmi-varq, section 2.3.
 */
export class ChangePointHistory {
  private readonly sample: SlidingSample;
  private readonly shortestLength: number;
  private misses = 0;
  private boundSeconds = Number.POSITIVE_INFINITY;
  private table: readonly number[] | null = null;

  constructor(private readonly parameters: ChangePointParameters) {
    this.sample = new SlidingSample(parameters.capacity);
    this.shortestLength = shortestHistory(parameters.quantile, parameters.confidence);
  }

  /** How many waits the bounds rest on. */
  get size(): number {
    return this.sample.size;
  }

  /** True once there are enough waits for the bound that is watched. */
  get isLongEnough(): boolean {
    return this.sample.size >= this.shortestLength;
  }

  /** Takes in a wait that has become known, O(log n) but for the rare change point. */
  learn(waitSeconds: number): void {
    this.misses = waitSeconds > this.boundSeconds ? this.misses + 1 : 0;
    this.sample.add(waitSeconds);
    if (this.misses >= SHORTEST_RUN && this.misses >= this.rareRunLength()) {
      this.sample.trimTo(this.shortestLength);
      this.misses = 0;
    }
    const rank = orderStatisticRank(this.sample.size, this.parameters.quantile, this.parameters.confidence);
    this.boundSeconds = rank === null ? Number.POSITIVE_INFINITY : this.sample.at(rank);
    this.table = null;
  }

  /** Upper bounds of the percentiles 1..99, computed when first asked for after a change. */
  percentileBounds(): readonly number[] {
    const { confidence, statedConfidence = confidence } = this.parameters;
    this.table ??= this.sample.atAll(percentileRanks(this.sample.size, statedConfidence));
    return this.table;
  }

  /** Median of the waits; `Infinity` when there are none. */
  medianSeconds(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.sample.at(Math.ceil(this.size / 2));
  }

  private rareRunLength(): number {
    const recent = this.sample.mostRecent(AUTOCORRELATION_LENGTH).map((wait) => Math.log1p(Math.max(0, wait)));
    const rounded = Math.round(autocorrelation(recent, 1) * 20) / 20;
    return keptRunLength(rounded, this.parameters.quantile, (1 - this.parameters.quantile) ** 2);
  }
}

/** Smallest number of waits that bounds the quantile with the confidence: 59 for 95/95. */
function shortestHistory(quantile: number, confidence: number): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log(quantile));
}

function keptRunLength(rho: number, quantile: number, rareness: number): number {
  const key = `${rho} ${quantile} ${rareness}`;
  const kept = runLengths.get(key) ?? exceedanceRunLength(rho, quantile, rareness);
  runLengths.set(key, kept);
  return kept;
}

/** No autocorrelation makes a shorter run than this rare at the .95 quantile, so it need not be measured before. */
const SHORTEST_RUN = 3;
const AUTOCORRELATION_LENGTH = 1000;
const runLengths = new Map<string, number>();

keepClass(ChangePointHistory);
