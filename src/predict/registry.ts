import { LastWait } from './baseline/last.ts';
import { MeanWait } from './baseline/mean.ts';
import { MedianWait } from './baseline/median.ts';
import { UserLastWait } from './baseline/user-last.ts';
import type { Predictor, WaitPredictor } from './predictor.ts';
import type { Quantity } from './quantity.ts';
import { type Create, kind } from './registered.ts';
import type { PredictorSettings } from './settings.ts';
import { Apq } from './wait/apq/apq.ts';
import { APQ_STATISTICS } from './wait/apq/apq-history.ts';
import { APQ_DEFAULTS } from './wait/apq/apq-parameters.ts';
import { GRIDCAST_DEFAULTS, Gridcast, HEEDS } from './wait/gridcast.ts';
import { IBL_DEFAULTS, Ibl } from './wait/ibl.ts';
import { QBETS_DEFAULTS, Qbets } from './wait/qbets.ts';
import { OUTLOOK_CHOICES, outlookOf } from './wait-outlook.ts';

/**
 * Every wait predictor by its name, each as a factory of one that has learned nothing, with settings in place of some
 * of its parameters. A new one is a line here.
 */
export const WAIT_PREDICTORS: ReadonlyMap<string, Create<WaitPredictor>> = new Map<string, Create<WaitPredictor>>([
  kind('wait/qbets', QBETS_DEFAULTS, (parameters) => new Qbets(parameters)),
  kind('wait/gridcast', GRIDCAST_DEFAULTS, (parameters) => new Gridcast(parameters, outlookOf(parameters)), {
    heeds: HEEDS,
    ...OUTLOOK_CHOICES,
  }),
  kind('wait/apq', APQ_DEFAULTS, (parameters) => new Apq(parameters), { statistics: APQ_STATISTICS }),
  kind('wait/ibl', IBL_DEFAULTS, (parameters) => new Ibl(parameters)),
  kind('baseline/mean', {}, () => new MeanWait()),
  kind('baseline/median', {}, () => new MedianWait()),
  kind('baseline/last', {}, () => new LastWait()),
  kind('baseline/user-last', {}, () => new UserLastWait()),
]);

/**
 * A new predictor of waits by name.
 * @param settings values in place of the predictor's own
 * @throws RangeError for an unknown name, listing those there are, or a setting that cannot be
 */
export function createWaitPredictor(name: string, settings: PredictorSettings = {}): WaitPredictor {
  return createPredictor({ name: 'wait', predictors: WAIT_PREDICTORS }, name, settings);
}

/**
 * A new predictor of a quantity by name.
 * @param settings values in place of the predictor's own
 * @throws RangeError for an unknown name, listing those there are, or a setting that cannot be
 */
export function createPredictor<Query, Forecast>(
  quantity: Pick<Quantity<Query, Forecast>, 'name' | 'predictors'>,
  name: string,
  settings: PredictorSettings = {},
): Predictor<Query, Forecast> {
  const create = quantity.predictors.get(name);
  if (create) return create(settings);
  throw new RangeError(
    `no ${quantity.name} predictor ${name}; there are ${[...quantity.predictors.keys()].join(', ')}`,
  );
}
