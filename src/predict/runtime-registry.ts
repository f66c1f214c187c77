import { RUNTIME_BASELINES } from './baseline/runtime-baselines.ts';
import type { RuntimePredictor } from './predictor.ts';
import { PRIONN_RUNTIME } from './prionn/prionn-kinds.ts';
import { type Create, kind } from './registered.ts';
import { ADJUSTMENT_DEFAULTS, AdjustedWalltime } from './runtime/adjusted-walltime.ts';
import { GRIDCAST_RUNTIME_DEFAULTS, GridcastRuntime, NAMES } from './runtime/gridcast.ts';
import { KEY_TYPES, WINDOWS } from './runtime/like-jobs-shares.ts';
import { RANGE_SET_DEFAULTS, RangeSet, RECIPES } from './runtime/range-set.ts';
import { RecentUse } from './runtime/recent-use.ts';

/**
 * Every runtime predictor by its name, each as a factory of one that has learned nothing, with settings in place of
 * some of its parameters. A new one is a line here.
 */
export const RUNTIME_PREDICTORS: ReadonlyMap<string, Create<RuntimePredictor>> = new Map<
  string,
  Create<RuntimePredictor>
>([
  kind('runtime/gridcast', GRIDCAST_RUNTIME_DEFAULTS, (parameters) => new GridcastRuntime(parameters), {
    names: NAMES,
  }),
  kind('runtime/recent-use', {}, () => new RecentUse()),
  kind('runtime/adjusted-walltime', ADJUSTMENT_DEFAULTS, (scheme) => new AdjustedWalltime(scheme), {
    key: KEY_TYPES,
    window: WINDOWS,
  }),
  kind('runtime/range-set', RANGE_SET_DEFAULTS, (parameters) => new RangeSet(parameters), { recipe: RECIPES }),
  PRIONN_RUNTIME,
  ...RUNTIME_BASELINES,
]);
