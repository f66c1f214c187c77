import { LastWait } from './baseline/last.ts';
import { MeanWait } from './baseline/mean.ts';
import { MedianWait } from './baseline/median.ts';
import { UserLastWait } from './baseline/user-last.ts';
import type { WaitPredictor } from './predictor.ts';
import { Apq } from './wait/apq/apq.ts';
import { Gridcast } from './wait/gridcast.ts';
import { Ibl } from './wait/ibl.ts';
import { Qbets } from './wait/qbets.ts';

/** Every wait predictor by its name, each as a factory of one that has learned nothing. A new one is a line here. */
export const WAIT_PREDICTORS: ReadonlyMap<string, () => WaitPredictor> = new Map<string, () => WaitPredictor>([
  ['wait/qbets', () => new Qbets()],
  ['wait/gridcast', () => new Gridcast()],
  ['wait/apq', () => new Apq()],
  ['wait/ibl', () => new Ibl()],
  ['baseline/mean', () => new MeanWait()],
  ['baseline/median', () => new MedianWait()],
  ['baseline/last', () => new LastWait()],
  ['baseline/user-last', () => new UserLastWait()],
]);

/** A new predictor by name. Throws a `RangeError` that lists the names when there is none. */
export function createWaitPredictor(name: string): WaitPredictor {
  const create = WAIT_PREDICTORS.get(name);
  if (!create) throw new RangeError(`no wait predictor ${name}; there are ${[...WAIT_PREDICTORS.keys()].join(', ')}`);
  return create();
}
