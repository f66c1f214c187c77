import { weightedMedian } from './weighted-median.ts';

/**
 * The value that minimises the mean of |said - wait| / (wait + runtime) over equally probable waits: their median with
 * weights 1 / (wait + runtime). Infinite where one of the waits is.
 * @param waits in seconds, at least one
 * @param runSeconds expected runtime; at least a second is taken
 */
export function leastRelativeError(waits: readonly number[], runSeconds: number): number {
  if (!waits.every(Number.isFinite)) return Number.POSITIVE_INFINITY;
  const run = Math.max(1, runSeconds);
  return weightedMedian(
    Float64Array.from(waits),
    Float64Array.from(waits, (wait) => 1 / (wait + run)),
  );
}
