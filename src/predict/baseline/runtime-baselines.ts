import type { RuntimePredictor } from '../predictor.ts';
import { type Create, kind } from '../registered.ts';
import { AleaRule } from './alea.ts';
import { LastTwo } from './last-two.ts';
import { LiNeighbours } from './li.ts';
import { MinMaxRange } from './min-max.ts';
import { NINE_FEATURE_METHODS, NineFeatureRuntime } from './nine-features/predictors.ts';
import { RequestedWalltime } from './requested.ts';
import { SmithTemplates } from './smith.ts';
import { UserLastRuntime } from './user-last-runtime.ts';

/** The baselines of runtimes, as lines of their registry. */
export const RUNTIME_BASELINES: readonly [string, Create<RuntimePredictor>][] = [
  kind('baseline/requested', {}, () => new RequestedWalltime()),
  kind('baseline/alea', {}, () => new AleaRule()),
  kind('baseline/last-two', {}, () => new LastTwo()),
  kind('baseline/user-last-runtime', {}, () => new UserLastRuntime()),
  ...NINE_FEATURE_METHODS.map(([name, method]) => kind(name, {}, () => new NineFeatureRuntime(name, method))),
  kind('baseline/min-max', {}, () => new MinMaxRange()),
  kind('baseline/smith', {}, () => new SmithTemplates()),
  kind('baseline/li', {}, () => new LiNeighbours()),
];
