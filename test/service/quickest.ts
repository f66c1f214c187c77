import { LOAD } from '../../src/predict/load/load.ts';
import { RUNTIME } from '../../src/predict/quantities.ts';

/**
 * The predictors of the worlds that are not about forecasts: of each quantity the quickest that learns (decision 066).
 * What decides where nothing is configured is learned where a test is about that.
 */
export const QUICKEST = { wait: 'wait/qbets', runtime: 'runtime/recent-use', load: 'load/autoregressive' } as const;

/** Those of quantities other than the wait, as forecasters are told them. */
export const QUICKEST_OTHERS = { [RUNTIME.name]: [QUICKEST.runtime], [LOAD.name]: [QUICKEST.load] };

/** The same as the configuration of a process. */
export const QUICKEST_CONFIGURED = {
  GRIDCAST_PREDICTOR: QUICKEST.wait,
  GRIDCAST_RUNTIME_PREDICTOR: QUICKEST.runtime,
  GRIDCAST_LOAD_PREDICTOR: QUICKEST.load,
} as const;
