import type { EpochSeconds } from '../../domain/clock.ts';
import { QUANTILE_COUNT } from '../../domain/forecast.ts';
import { partitionPoint } from '../../domain/partition-point.ts';

/** One look at a job of which the wait was forecast. */
export interface Look {
  /** Percentiles 1..99 as forecast. */
  readonly quantileSeconds: readonly number[];
  /** How long it had waited at the last look; null at the first. */
  readonly fromSeconds: number | null;
  readonly toSeconds: number;
  /** Whether it was found started. */
  readonly isOver: boolean;
}

/** How evidence counts. */
export interface PaceParameters {
  /** After so long evidence counts half. */
  readonly halfLifeSeconds: number;
  /** How many looks count as one, for jobs that wait at one time wait for the same. */
  readonly looksPerTrial: number;
  /** How likely it is beforehand that a site keeps its usual pace. */
  readonly usualShare: number;
}

export const PACE_DEFAULTS: PaceParameters = { halfLifeSeconds: 10_800, looksPerTrial: 5, usualShare: 0.8 };

/**
 * At what pace a site starts jobs now, against what was forecast of them in the last hours: 1 is as forecast, 1/2 half
 * as often in any moment. Every look at a job is a trial that the forecast gave a probability, so jobs that still wait
 * tell as much as those that started, and a queue that has come to a stand is noticed within the hour. What is likely
 * of the pace is kept as weights of some paces; evidence fades.
 *
 * Source: Cox, Regression models and life-tables, JRSS B 34 (1972) (a common factor on all hazards); the forgetting of
 * Raftery, Karny and Ettler, Online prediction under model uncertainty via dynamic model averaging, Technometrics 52
 * (2010).
 */
export class RecentPace {
  private readonly evidence = new Float64Array(PACES.length);
  private readonly prior: Float64Array;
  private at: EpochSeconds | null = null;
  private weights: Float64Array;
  /** Of these weights, once somebody asks. */
  private sources: Float64Array | null = null;

  constructor(private readonly parameters: PaceParameters = PACE_DEFAULTS) {
    this.prior = priorWeights(parameters.usualShare);
    this.weights = this.prior;
  }

  /** How many times as long jobs wait as was forecast, as likely more as less; 1 as forecast. */
  get lateness(): number {
    let left = 0.5;
    const median = this.weights.findIndex((weight) => {
      left -= weight;
      return left <= 0;
    });
    return 1 / (PACES[median] ?? 1);
  }

  /** Takes in the looks of one moment, not before the last. O(looks). */
  learn(at: EpochSeconds, looks: Iterable<Look>): void {
    const passed = this.at === null ? 0 : at - this.at;
    this.at = at;
    const kept = 0.5 ** (passed / this.parameters.halfLifeSeconds);
    for (let i = 0; i < PACES.length; i++) this.evidence[i] = (this.evidence[i] as number) * kept;
    for (const look of looks) this.addLook(look);
    this.weights = posterior(this.prior, this.evidence);
    this.sources = null;
  }

  /** Percentiles at the present pace, from those of a forecast. */
  corrected(quantileSeconds: readonly number[]): readonly number[] {
    this.sources ??= sourceLevels(this.weights);
    return Array.from(this.sources, (level) => quantileAt(quantileSeconds, level));
  }

  private addLook({ quantileSeconds, fromSeconds, toSeconds, isOver }: Look): void {
    const before = fromSeconds === null ? 0 : shareWithin(quantileSeconds, fromSeconds);
    const hazard = -Math.log((1 - shareWithin(quantileSeconds, toSeconds)) / (1 - before));
    // Where the forecast ends, or says nothing yet, it has not been tried.
    if (hazard < LEAST_HAZARD) return;
    const share = 1 / this.parameters.looksPerTrial;
    PACES.forEach((pace, i) => {
      const told = isOver ? Math.log(-Math.expm1(-pace * hazard)) : -pace * hazard;
      this.evidence[i] = (this.evidence[i] as number) + share * told;
    });
  }
}

/** The forecast's probability of a wait up to so many seconds, between its percentiles by straight lines. */
function shareWithin(quantileSeconds: readonly number[], seconds: number): number {
  const reached = partitionPoint(quantileSeconds.length, (index) => (quantileSeconds[index] as number) <= seconds);
  const [below, above] = [quantileSeconds[reached - 1], quantileSeconds[reached]];
  const between =
    below !== undefined && above !== undefined && Number.isFinite(above) ? (seconds - below) / (above - below) : 0;
  return (reached + between) / (QUANTILE_COUNT + 1);
}

function quantileAt(quantileSeconds: readonly number[], level: number): number {
  const place = level * (QUANTILE_COUNT + 1) - 1;
  if (place > QUANTILE_COUNT - 1 + ROUNDING) return Number.POSITIVE_INFINITY;
  const below = Math.max(0, Math.floor(place + ROUNDING));
  const part = Math.max(0, place - below);
  const from = quantileSeconds[below] as number;
  if (part < ROUNDING || from === Number.POSITIVE_INFINITY) return from;
  return from + part * ((quantileSeconds[below + 1] as number) - from);
}

/** The level of a forecast that comes true with each of the probabilities .01 to .99, by the mixture of paces. */
function sourceLevels(weights: Float64Array): Float64Array {
  const reached = (level: number) => {
    let outlived = 0;
    for (let i = 0; i < PACES.length; i++) outlived += (weights[i] as number) * (1 - level) ** (PACES[i] as number);
    return 1 - outlived;
  };
  return Float64Array.from({ length: QUANTILE_COUNT }, (_, i) => {
    let [low, high] = [0, 1];
    for (let round = 0; round < 24; round++) {
      const middle = (low + high) / 2;
      if (reached(middle) < (i + 1) / 100) low = middle;
      else high = middle;
    }
    return high;
  });
}

function priorWeights(usualShare: number): Float64Array {
  const weights = Float64Array.from(PACES, (pace) => (1 - usualShare) * Math.exp(-0.5 * (Math.log2(pace) / 1.5) ** 2));
  const others = weights.reduce((sum, weight) => sum + weight, 0) / (1 - usualShare);
  return Float64Array.from(weights, (weight, i) => weight / others + (PACES[i] === 1 ? usualShare : 0));
}

function posterior(prior: Float64Array, evidence: Float64Array): Float64Array {
  const most = evidence.reduce((high, one) => Math.max(high, one), Number.NEGATIVE_INFINITY);
  const weights = prior.map((weight, i) => weight * Math.exp((evidence[i] as number) - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** From a 64th of the usual pace to the usual one, in steps of the root of 2. */
const PACES = Array.from({ length: 13 }, (_, i) => 2 ** (i / 2 - 6));
const LEAST_HAZARD = 1e-4;
const ROUNDING = 1e-6;
