import { conformalIndex } from '../../../stats/conformal-index.ts';
import type { WaitSpread } from './like-waits.ts';

/**
 * Waits that are reached with probabilities of so much, in whole seconds as they are known: halfway, in square roots,
 * between those of like submissions and the median with the errors of forecasts as high around it.
 * @param beside those errors added to the median, rising; empty where none is known
 */
export function waitSecondsAt(levels: Float64Array, spread: WaitSpread, beside: Float64Array): Float64Array {
  const alike = spread.rootsAt(levels);
  return levels.map((level, i) => {
    const root = alike[i] as number;
    const other = beside.length > 0 ? (beside[conformalIndex(level, beside.length)] as number) : root;
    return Math.round(((root + other) / 2) ** 2);
  });
}
