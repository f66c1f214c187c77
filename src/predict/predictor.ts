import type { EpochSeconds } from '../domain/clock.ts';
import type { BytesForecast, RuntimeForecast, RuntimeRange, WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { EndedRecord, JobRequest, StartedRecord, SubmittedJob } from '../domain/job.ts';
import type { Snapshot } from '../domain/snapshot.ts';

/**
 * Who is told what happens at a site: each thing once, in the order of time, live and in experiments by the same path
 * (`tell`). At one moment submissions come before starts, and starts before ends. A listener takes what it wants.
 */
export interface SiteListener {
  /**
   * A job was handed in; nothing of its fate is known.
   * @param laterSubmissions while a past is lived through, how many of its jobs were handed in after this one: what
   *   only the newest teach need not be learned from the others. 0 live and in experiments.
   */
  submitted?(job: SubmittedJob, laterSubmissions?: number): void;

  /** A job started, so its wait is known; nothing of its end is. */
  started?(record: StartedRecord): void;

  /** A job is over, with its outcome; one that never started, too. A method says which ones teach it. */
  ended?(record: EndedRecord): void;

  /** What the site says at one moment, before the starts that happened after it. A listener must do without, too. */
  observed?(state: Snapshot): void;

  /**
   * Somebody else fits its models from now on. It goes on following the site with those that it has, keeps nothing for
   * a next fit, and is of no use to go on learning from. Absent of who has nothing that takes long to fit.
   */
  leaveFitsToOthers?(): void;

  /** False where the records of a past tell it all that its states would; they are made for who listens unless told. */
  readonly needsPastStates?: boolean;
}

/**
 * Predicts one quantity of jobs. Implementations are pure and deterministic: the same events and questions in the same
 * order give the same forecasts, and a question changes none that come after it.
 */
export interface Predictor<Query, Forecast> extends SiteListener {
  /** Quantity or family, and method, for example `wait/qbets`. */
  readonly name: string;
  /** Changes whenever the same history would give other forecasts. */
  readonly version: string;

  /**
   * Names of the features that its models learn from, in their order: a state that was learned of others is of no use.
   * Absent where there are none, or always the same.
   */
  featureNames?(): readonly string[];

  /**
   * Forecasts from what it was told and the site's present state. Always answers: with no history at all every quantile
   * is infinite.
   * @param state the newest snapshot of the site, or what it says without some jobs or with others; null when it was
   *   never observed. Its object is never changed: what is made of it is kept for the next question about it.
   */
  predict(query: Query, state: Snapshot | null, now: EpochSeconds): Forecast;
}

/** Predicts how long a job waits that is submitted at `query.submitAt`. */
export type WaitPredictor = Predictor<WaitQuery, WaitForecast>;

/** Predicts how long a job runs. It is told of every job that ended, and chooses by the outcome which ones teach it. */
export interface RuntimePredictor extends Predictor<JobRequest, RuntimeForecast> {
  /**
   * Ranges of a job's runtimes, of a method whose forecasts leave them out because they are work of their own: only who
   * shows or scores them asks. Null where the method knows none.
   */
  runtimeRanges?(job: JobRequest, now: EpochSeconds): readonly RuntimeRange[] | null;
}

/** Predicts how many bytes a job reads, or writes. It is told of every job that ended, with what it used where told. */
export type BytesPredictor = Predictor<JobRequest, BytesForecast>;
