import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { SiteListener } from '../predict/predictor.ts';
import { QUANTITIES, WAIT } from '../predict/quantities.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';
import { type FollowedPredictors, FollowedQuantity } from './followed-quantity.ts';

/** Every quantity of one live site, the wait apart from the others. */
export class FollowedQuantities {
  readonly waits: FollowedQuantity<WaitQuery, WaitForecast>;
  readonly others: readonly FollowedQuantity<unknown, unknown>[];

  /** @throws RangeError when there is no predictor of one of the names, or a setting cannot be */
  constructor(followed: FollowedPredictors, settings: SettingsByPredictor) {
    this.waits = new FollowedQuantity(WAIT, followed, settings);
    this.others = QUANTITIES.filter(({ name }) => name !== WAIT.name).map(
      (quantity) => new FollowedQuantity(quantity, followed, settings),
    );
  }

  /** The predictors of all of them. */
  get predictors(): SiteListener[] {
    return [this.waits, ...this.others].flatMap(({ predictors }) => [...predictors.values()]);
  }
}
