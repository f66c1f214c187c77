import { APQ_DEFAULTS, APQ_TRIED } from './wait/apq/apq-parameters.ts';
import { IBL_DEFAULTS } from './wait/ibl.ts';
import { QBETS_DEFAULTS } from './wait/qbets.ts';

/** What is tried when a predictor is tuned, and what makes one set of parameters better than another. */
export interface Tuning {
  readonly defaults: object;
  /** Values of each parameter, in the order in which the parameters are varied. */
  readonly tried: Readonly<Record<string, readonly (number | string)[]>>;
  /** The average absolute error for predictors of points, the pinball loss over all percentiles for those of bounds. */
  readonly metric: 'aaeHours' | 'pinballHours';
}

/** How each predictor that has something to tune is tuned. */
export const TUNINGS: ReadonlyMap<string, Tuning> = new Map<string, Tuning>([
  ['wait/apq', { defaults: APQ_DEFAULTS, tried: APQ_TRIED, metric: 'aaeHours' }],
  [
    'wait/ibl',
    {
      defaults: IBL_DEFAULTS,
      tried: { capacity: [2000, 4000, 6000], neighbours: [5, 10, 25, 50] },
      metric: 'aaeHours',
    },
  ],
  [
    'wait/qbets',
    {
      defaults: QBETS_DEFAULTS,
      tried: { smallestClass: [150, 300, 600, 1200, 2400], capacity: [2000, 4000, 6000], regroupEvery: [500, 1000] },
      metric: 'pinballHours',
    },
  ],
]);

/** How a predictor is tuned. Throws a `RangeError` that lists those that can be when it cannot. */
export function tuningOf(predictor: string): Tuning {
  const tuning = TUNINGS.get(predictor);
  if (!tuning) throw new RangeError(`${predictor} has nothing to tune; there are ${[...TUNINGS.keys()].join(', ')}`);
  return tuning;
}
