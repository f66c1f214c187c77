import type { EpochSeconds } from './clock.ts';
import type { JobRequest } from './job.ts';
import type { OutsideKnownRange } from './known-range.ts';
import { partitionPoint } from './partition-point.ts';

/**
 * The job whose wait is asked for, as the site would see it, with the walltime that would be requested, padding
 * included.
 */
export interface WaitQuery extends JobRequest {
  readonly submitAt: EpochSeconds;
  /**
   * One of many submission times to choose from, which have to be forecast alike to be compared; not so unless told.
   */
  readonly isOneOfMany?: boolean;
}

/**
 * A predicted queue wait with its spread. `quantileSeconds[i]` is the wait that is not exceeded with probability
 * `(i + 1) / 100`, for i = 0..98: non-decreasing, `Infinity` where history does not support that level.
 */
export interface WaitForecast {
  readonly predictor: string;
  readonly version: string;
  readonly madeAt: EpochSeconds;
  /** Moment of the snapshot or newest record the forecast rests on. */
  readonly observedAt: EpochSeconds;
  /** How many known waits the forecast rests on. */
  readonly sampleSize: number;
  readonly pointSeconds: number;
  readonly quantileSeconds: readonly number[];
  /**
   * When the site has left the range that the forecast was learned in; null or left out when it has not, or where that
   * is not watched.
   */
  readonly outsideKnownRange?: OutsideKnownRange | null;
  /** How much of the site's past is known that it rests on; left out where that is not watched. */
  readonly knownPastSeconds?: number;
  /**
   * By how much our own jobs on their way to the site make it later than it would be without them; left out where they
   * do not.
   */
  readonly delaySeconds?: number;
}

/** Runtimes from one to another, both included, and how probable it is that a job's is among them. */
export interface RuntimeRange {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Within (0, 1]. */
  readonly probability: number;
}

/** A predicted runtime with its spread, as of a wait. */
export interface RuntimeForecast {
  readonly predictor: string;
  readonly version: string;
  readonly madeAt: EpochSeconds;
  /** How many known runtimes the forecast rests on. */
  readonly sampleSize: number;
  readonly pointSeconds: number;
  readonly quantileSeconds: readonly number[];
  /**
   * Disjoint and rising, their probabilities 1 in all; left out by methods that have none, empty where none is known.
   */
  readonly ranges?: readonly RuntimeRange[];
}

/** A predicted runtime of a job of a live site. */
export interface LiveRuntimeForecast extends RuntimeForecast {
  /** Moment of the newest fact of the site that it rests on. */
  readonly observedAt: EpochSeconds;
}

/** A predicted number of bytes that a job reads from file systems, or writes to them, with its spread, as of a wait. */
export interface BytesForecast {
  readonly predictor: string;
  readonly version: string;
  readonly madeAt: EpochSeconds;
  /** How many known jobs the forecast rests on. */
  readonly sampleSize: number;
  readonly pointBytes: number;
  readonly quantileBytes: readonly number[];
}

/** A predicted number of bytes of a job of a live site. */
export interface LiveBytesForecast extends BytesForecast {
  /** Moment of the newest fact of the site that it rests on. */
  readonly observedAt: EpochSeconds;
}

/** What comes together in one slot of time. The percentiles 1 to 99 never fall; infinite where nothing is known. */
export interface SlotForecast {
  readonly startsAt: EpochSeconds;
  /** The expected value, which a few large outcomes may lift above most percentiles. */
  readonly point: number;
  readonly percentiles: readonly number[];
  /** How many known outcomes it rests on. */
  readonly sampleSize: number;
}

/** A forecast of slots of equal length that follow on each other. */
export interface SlotsForecast {
  readonly predictor: string;
  readonly version: string;
  readonly madeAt: EpochSeconds;
  readonly slotSeconds: number;
  readonly slots: readonly SlotForecast[];
}

/**
 * A forecast of any quantity as it is kept to be scored. The point and the percentiles 1 to 99 are in the quantity's
 * unit, infinite where nothing is known.
 */
export interface QuantityForecast {
  /** For example `wait`. */
  readonly quantity: string;
  readonly predictor: string;
  readonly version: string;
  readonly madeAt: EpochSeconds;
  /** Moment of the newest fact of the site that it rests on. */
  readonly observedAt: EpochSeconds;
  /** How many known outcomes it rests on. */
  readonly sampleSize: number;
  readonly point: number;
  readonly percentiles: readonly number[];
}

/**
 * A point kept within its forecast's own percentiles, which it would contradict outside of them. Where not even the
 * first is supported, it stays.
 */
export function withinPercentiles(pointSeconds: number, quantileSeconds: ArrayLike<number>): number {
  const lowest = quantileSeconds[0] ?? Number.POSITIVE_INFINITY;
  const highest = quantileSeconds[quantileSeconds.length - 1] ?? lowest;
  return Number.isFinite(lowest) ? Math.min(Math.max(pointSeconds, lowest), highest) : pointSeconds;
}

/**
 * The point that is least wrong relatively: that of the forecast's percentiles whose mean of |said - true| over the
 * larger of the two, as the forecast itself sees it, is least. It lies below the median where a spread is wide.
 * Infinite where a percentile is.
 */
export function relativePointSeconds({ quantileSeconds }: Pick<WaitForecast, 'quantileSeconds'>): number {
  if (!quantileSeconds.every(Number.isFinite)) return Number.POSITIVE_INFINITY;
  let [least, leastError] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const said of quantileSeconds) {
    let error = 0;
    for (const actual of quantileSeconds) error += Math.abs(said - actual) / Math.max(1, said, actual);
    if (error < leastError) [least, leastError] = [said, error];
  }
  return least;
}

/** A wait up to this is no wait to a person: most systems look for something to start every few seconds or minutes. */
const AT_ONCE_SECONDS = 60;

/** Probability, in whole percent, that a job starts at once: within a minute of its submission. */
export function atOnceProbability(forecast: Pick<WaitForecast, 'quantileSeconds'>): number {
  return probabilityToStartWithin(forecast, AT_ONCE_SECONDS);
}

/** Number of entries of `quantileSeconds`: the percentiles 1..99. */
export const QUANTILE_COUNT = 99;

/** The percentiles of a forecast that rests on nothing. */
export const NOTHING_KNOWN: readonly number[] = new Array<number>(QUANTILE_COUNT).fill(Number.POSITIVE_INFINITY);

/**
 * The wait, or runtime, that is not exceeded with the given probability, at the next percentile that is not below it.
 * @param probability within (0, 1)
 */
export function secondsAtProbability(forecast: Pick<WaitForecast, 'quantileSeconds'>, probability: number): number {
  return valueAtProbability(forecast.quantileSeconds, probability);
}

/** The same of the percentiles of any quantity; infinite where history does not support that level. */
export function valueAtProbability(percentiles: readonly number[], probability: number): number {
  const index = Math.ceil(probability * 100 - 1e-9) - 1;
  return percentiles[Math.max(0, index)] ?? Number.POSITIVE_INFINITY;
}

/**
 * Probability, in whole percent, that the wait, or runtime, is at most `seconds`: 0 when not even the first percentile
 * is that short.
 */
export function probabilityToStartWithin(forecast: Pick<WaitForecast, 'quantileSeconds'>, seconds: number): number {
  const { quantileSeconds } = forecast;
  return partitionPoint(quantileSeconds.length, (index) => (quantileSeconds[index] as number) <= seconds) / 100;
}
