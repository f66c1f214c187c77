import { CallerError } from '../../domain/failures.ts';
import { secondsAtProbability, type WaitForecast } from '../../domain/forecast.ts';
import { finiteOrNull } from '../shared/moments.ts';

/**
 * What is not exceeded with that probability; null where history does not support the level.
 * @throws CallerError INVALID for a probability that is none
 */
export function boundSecondsOf(forecast: Pick<WaitForecast, 'quantileSeconds'>, probability: number): number | null {
  if (!(probability > 0 && probability < 1)) {
    const message = `probability must lie between 0 and 1, both excluded, got ${probability}`;
    throw new CallerError('INVALID', 'probability', message);
  }
  return finiteOrNull(secondsAtProbability(forecast, probability));
}
