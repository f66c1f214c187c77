import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { StartedRecord } from '../domain/job.ts';
import type { Snapshot } from '../domain/snapshot.ts';

/**
 * Predicts queue waits with two verbs. Implementations are pure and deterministic: the same sequence of `learn` and
 * `predict` gives the same forecasts. `learn` is called once for each job, in the order of start times, when its start
 * is known.
 */
export interface WaitPredictor {
  /** Family and method, for example `wait/qbets`. */
  readonly name: string;
  /** Changes whenever the same history would give other forecasts. */
  readonly version: string;

  /**
   * Forecasts the wait of a job that is submitted at `query.submitAt`, from what has been learned and the site's
   * present state. Always answers: with no history at all every quantile is infinite.
   * @param state the newest snapshot of the site, null when it was never observed
   */
  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast;

  /**
   * Takes in what the site says at one moment, for predictors that compare states. Snapshots come in the order of time,
   * each once, and before the starts that happened after them are learned. A predictor must do without them too.
   */
  observe?(state: Snapshot): void;

  /** Takes in one known wait. */
  learn(record: StartedRecord): void;
}
