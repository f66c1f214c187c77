import { LOAD } from '../../predict/load/load.ts';
import { createPredictor } from '../../predict/registry.ts';
import type { PredictorSettings } from '../../predict/settings.ts';
import type { SlotsPredictor } from '../../predict/site-quantity.ts';

/**
 * The rows of Table II of dinh-per-user-workload-prediction and ours, each a predictor with settings. Those of the
 * paper learn once, from the slots that train.
 */
const VARIANTS: ReadonlyMap<string, readonly [predictor: string, settings: PredictorSettings, isOnce: boolean]> =
  new Map([
    ['load/gridcast', ['load/gridcast', {}, false]],
    ['load/hazard/clustered', ['load/hazard', { grouping: 'clustered' }, false]],
    ['load/hazard/user', ['load/hazard', { grouping: 'user' }, false]],
    ['load/hazard/aggregate', ['load/hazard', { grouping: 'aggregate' }, false]],
    ['load/autoregressive', ['load/autoregressive', { negative: 'kept' }, true]],
    ['load/autoregressive/adaptive', ['load/autoregressive', { mean: 'adaptive', negative: 'kept' }, true]],
    ['load/autoregressive/cut', ['load/autoregressive', { negative: 'cut' }, true]],
    ...['gamma', 'weibull', 'empirical'].flatMap((shape) =>
      ['user', 'clustered', 'aggregate'].map((grouping): [string, [string, PredictorSettings, boolean]] => [
        `load/fitted-hazard/${shape}/${grouping}`,
        ['load/fitted-hazard', { shape, grouping }, true],
      ]),
    ),
  ]);

/** The names of all of them. */
export const LOAD_VARIANTS: readonly string[] = [...VARIANTS.keys()];

/**
 * A new one by its name.
 * @param trainingSlots after which those learn that learn once
 * @throws RangeError for an unknown name, listing those there are
 */
export function createLoadVariant(name: string, trainingSlots: number): SlotsPredictor {
  const variant = VARIANTS.get(name);
  if (!variant) throw new RangeError(`no row ${name}; there are ${LOAD_VARIANTS.join(', ')}`);
  const [predictor, settings, isOnce] = variant;
  return createPredictor(
    LOAD,
    predictor,
    isOnce ? { ...settings, fitEverySlots: trainingSlots, mostFits: 1 } : settings,
  );
}
