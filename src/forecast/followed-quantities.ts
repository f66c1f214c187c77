import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import { type KeptModel, keptModel } from '../predict/checkpoint/kept-model.ts';
import type { SiteListener } from '../predict/predictor.ts';
import { QUANTITIES, WAIT } from '../predict/quantities.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';
import { SITE_QUANTITIES } from '../predict/site-quantities.ts';
import { type FollowedPredictors, FollowedQuantity } from './followed-quantity.ts';
import { FollowedSiteQuantity } from './followed-site-quantity.ts';

/** Every quantity of one live site: of its jobs, the wait apart from the others, and of the site itself. */
export class FollowedQuantities {
  readonly waits: FollowedQuantity<WaitQuery, WaitForecast>;
  readonly others: readonly FollowedQuantity<unknown, unknown>[];
  readonly ofSite: readonly FollowedSiteQuantity[];

  /** @throws RangeError when there is no predictor of one of the names, or a setting cannot be */
  constructor(
    followed: FollowedPredictors,
    private readonly settings: SettingsByPredictor,
  ) {
    this.waits = new FollowedQuantity(WAIT, followed, settings);
    this.others = QUANTITIES.filter(({ name }) => name !== WAIT.name).map(
      (quantity) => new FollowedQuantity(quantity, followed, settings),
    );
    this.ofSite = SITE_QUANTITIES.map((quantity) => new FollowedSiteQuantity(quantity, followed, settings));
  }

  /** By what they learn, in the order of `predictors`. */
  get models(): KeptModel[] {
    const ofJobs = [this.waits, ...this.others].flatMap(({ name, predictors }) =>
      Array.from(predictors.values(), (predictor) => keptModel(name, predictor, this.settings[predictor.name])),
    );
    const ofSites = this.ofSite.flatMap(({ name, predictors }) =>
      predictors.map((predictor) => keptModel(name, predictor, this.settings[predictor.name])),
    );
    return [...ofJobs, ...ofSites];
  }

  /** The predictors of all of them. */
  get predictors(): SiteListener[] {
    const ofJobs = [this.waits, ...this.others].flatMap(({ predictors }): SiteListener[] => [...predictors.values()]);
    return [...ofJobs, ...this.ofSite.flatMap(({ predictors }) => predictors)];
  }
}
