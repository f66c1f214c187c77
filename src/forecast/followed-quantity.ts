import type { EpochSeconds } from '../domain/clock.ts';
import type { QuantityForecast } from '../domain/forecast.ts';
import type { Submission } from '../domain/job.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import type { Predictor } from '../predict/predictor.ts';
import type { Quantity } from '../predict/quantity.ts';
import { createPredictor } from '../predict/registry.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';

/**
 * Names of the predictors that live sites are followed by, the one that decides first, for each quantity. One that is
 * not named is followed by the first of its registry.
 */
export type FollowedPredictors = Readonly<Record<string, readonly string[]>>;

/** One quantity of one live site: its predictors, the one that decides first. */
export class FollowedQuantity<Query, Forecast> {
  readonly predictors: ReadonlyMap<string, Predictor<Query, Forecast>>;

  /** @throws RangeError when there is no predictor of one of the names, or a setting cannot be */
  constructor(
    readonly quantity: Quantity<Query, Forecast>,
    followed: FollowedPredictors,
    settings: SettingsByPredictor,
  ) {
    const names = followed[quantity.name] ?? [...quantity.predictors.keys()].slice(0, 1);
    this.predictors = new Map(names.map((name) => [name, createPredictor(quantity, name, settings[name])]));
  }

  get name(): string {
    return this.quantity.name;
  }

  /**
   * What each predictor says of a submission, the one that decides first.
   * @param state the newest snapshot of the site, null when it was never observed
   */
  byAll(job: Submission, state: Snapshot | null, now: EpochSeconds): QuantityForecast[] {
    return Array.from(this.predictors.values(), (predictor) => this.saidBy(predictor, job, state, now));
  }

  /** What the predictor that decides says of a submission, asking no other; null where none is followed. */
  byDeciding(job: Submission, state: Snapshot | null, now: EpochSeconds): QuantityForecast | null {
    const [deciding] = this.predictors.values();
    return deciding ? this.saidBy(deciding, job, state, now) : null;
  }

  private saidBy(
    predictor: Predictor<Query, Forecast>,
    job: Submission,
    state: Snapshot | null,
    now: EpochSeconds,
  ): QuantityForecast {
    return {
      quantity: this.name,
      predictor: predictor.name,
      version: predictor.version,
      madeAt: now,
      observedAt: Math.min(now, state?.observedAt ?? now),
      ...this.quantity.spreadOf(predictor.predict(this.quantity.queryOf(job), state, now)),
    };
  }
}
