import { type Create, kind } from '../registered.ts';
import type { SlotsPredictor } from '../site-quantity.ts';
import {
  AUTOREGRESSIVE_DEFAULTS,
  AUTOREGRESSIVE_MEANS,
  AUTOREGRESSIVE_NEGATIVES,
  Autoregressive,
} from './autoregressive.ts';
import { FITTED_HAZARD_DEFAULTS, FittedHazard } from './fitted-hazard.ts';
import { HAZARD_DEFAULTS, HazardModel } from './hazard.ts';
import { HAZARD_SHAPES } from './hazard-curve.ts';
import { HazardWithCycle } from './hazard-with-cycle.ts';
import type { LoadModel } from './load-model.ts';
import { SlotwiseLoad } from './slotwise-load.ts';
import { GROUPINGS } from './user-groups.ts';

/**
 * Every predictor of arriving load by its name, each as a factory of one that has learned nothing. A new one is a line
 * here; the first one decides at live sites.
 */
export const LOAD_PREDICTORS: ReadonlyMap<string, Create<SlotsPredictor>> = new Map([
  slotwise('load/gridcast', {}, () => new HazardWithCycle()),
  slotwise('load/hazard', HAZARD_DEFAULTS, (parameters) => new HazardModel(parameters), { grouping: GROUPINGS }),
  slotwise('load/fitted-hazard', FITTED_HAZARD_DEFAULTS, (parameters) => new FittedHazard(parameters), {
    grouping: GROUPINGS,
    shape: HAZARD_SHAPES,
  }),
  slotwise('load/autoregressive', AUTOREGRESSIVE_DEFAULTS, (parameters) => new Autoregressive(parameters), {
    mean: AUTOREGRESSIVE_MEANS,
    negative: AUTOREGRESSIVE_NEGATIVES,
  }),
]);

function slotwise<P extends object>(
  name: string,
  defaults: P,
  create: (parameters: P) => LoadModel,
  choices?: Parameters<typeof kind<P, LoadModel>>[3],
): [string, Create<SlotsPredictor>] {
  return kind(name, defaults, (parameters) => new SlotwiseLoad(name, '1', create(parameters)), choices);
}
