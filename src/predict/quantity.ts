import type { EpochSeconds } from '../domain/clock.ts';
import type { Submission } from '../domain/job.ts';
import type { SiteEvent } from './past/tell.ts';
import type { Predictor } from './predictor.ts';
import type { PredictorSettings } from './settings.ts';

/** A forecast as a point and the percentiles 1 to 99, in the quantity's unit; infinite where nothing is known. */
export interface Spread {
  readonly point: number;
  readonly percentiles: readonly number[];
  /** How many known outcomes it rests on. */
  readonly sampleSize: number;
}

/** What a quantity came out as for one job. */
export interface Actual {
  readonly nativeId: string;
  readonly submitAt: EpochSeconds;
  /** In the quantity's unit. */
  readonly value: number;
}

/**
 * Something that is forecast of a job: who forecasts it, what they are asked, and how one learns what it came out as.
 */
export interface Quantity<Query, Forecast> {
  /** For example `wait`; its docstring tells the unit. */
  readonly name: string;
  /** Each as a factory of one that has learned nothing, by its name. A new one is a line in its registry. */
  readonly predictors: ReadonlyMap<string, (settings?: PredictorSettings) => Predictor<Query, Forecast>>;

  /** The question that a submission is. */
  queryOf(job: Submission): Query;

  spreadOf(forecast: Forecast): Spread;

  /** What an event tells that it came out as; null when it tells nothing of it. */
  actualOf(event: SiteEvent): Actual | null;
}
