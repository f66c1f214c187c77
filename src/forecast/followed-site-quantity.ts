import type { EpochSeconds } from '../domain/clock.ts';
import type { SlotsForecast } from '../domain/forecast.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { createPredictor } from '../predict/registry.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';
import type { SiteQuantity, SlotsPredictor, SlotsQuery } from '../predict/site-quantity.ts';
import type { FollowedPredictors } from './followed-quantity.ts';

/** One quantity of a live site itself: its predictors, the one that decides first. */
export class FollowedSiteQuantity {
  readonly predictors: readonly SlotsPredictor[];

  /** @throws RangeError when there is no predictor of one of the names, or a setting cannot be */
  constructor(
    readonly quantity: SiteQuantity,
    followed: FollowedPredictors,
    settings: SettingsByPredictor,
  ) {
    const names = followed[quantity.name] ?? [...quantity.predictors.keys()].slice(0, 1);
    this.predictors = [...new Set(names)].map((name) => createPredictor(quantity, name, settings[name]));
  }

  get name(): string {
    return this.quantity.name;
  }

  /** What each predictor says of the coming slots, the one that decides first. */
  byAll(query: SlotsQuery, state: Snapshot | null, now: EpochSeconds): SlotsForecast[] {
    return this.predictors.map((predictor) => predictor.predict(query, state, now));
  }
}
