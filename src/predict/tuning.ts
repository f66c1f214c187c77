import { APQ_TRIED } from './wait/apq/apq-parameters.ts';

/** What is tried when a predictor is tuned for the least average absolute error. */
export interface Tuning {
  /** Values of each parameter, in the order in which the parameters are varied. */
  readonly tried: Readonly<Record<string, readonly (number | string)[]>>;
}

/** How each predictor that has something to tune is tuned. */
export const TUNINGS: ReadonlyMap<string, Tuning> = new Map<string, Tuning>([
  ['wait/apq', { tried: APQ_TRIED }],
  ['wait/ibl', { tried: { capacity: [2000, 4000, 6000], neighbours: [5, 10, 25, 50] } }],
]);

/** How a predictor is tuned. Throws a `RangeError` that lists those that can be when it cannot. */
export function tuningOf(predictor: string): Tuning {
  const tuning = TUNINGS.get(predictor);
  if (!tuning) throw new RangeError(`${predictor} has nothing to tune; there are ${[...TUNINGS.keys()].join(', ')}`);
  return tuning;
}
