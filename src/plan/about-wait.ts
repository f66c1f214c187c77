import type { WaitForecast } from '../domain/forecast.ts';
import { leastRelativeError } from '../stats/least-relative-error.ts';

/**
 * The wait to say as "about": of a forecast's own percentiles the one that is least wrong for a job that then runs so
 * long, as |said - true| over its wait and runtime. It lies below the median where waits are spread wide. Infinite
 * where a percentile is.
 * @param runSeconds expected of the job; at least a second is taken
 */
export function aboutWaitSeconds(
  { quantileSeconds }: Pick<WaitForecast, 'quantileSeconds'>,
  runSeconds: number,
): number {
  return leastRelativeError(quantileSeconds, runSeconds);
}
