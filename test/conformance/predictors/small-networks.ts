import type { PredictorSettings, SettingsByPredictor } from '../../../src/predict/settings.ts';

/** What keeps a training event to some milliseconds: a quarter of the sides, one look at each of 40 jobs. */
export const SMALL_NETWORK: PredictorSettings = { side: 16, epochs: 1, jobs: 40, transform: 'simple' };

/** Settings of predictors that are costly with their own. */
export const SMALL_NETWORKS: SettingsByPredictor = { 'runtime/prionn': SMALL_NETWORK, 'io/prionn': SMALL_NETWORK };
