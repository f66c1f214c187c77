import type { DownTimeSign } from '../domain/down-time.ts';
import { probabilityToStartWithin, type WaitForecast } from '../domain/forecast.ts';

/** A job in the queue of a site that is taken to be down. */
export interface QueuedAtDownSite {
  /** What the site is taken to be down for. */
  readonly signs: readonly DownTimeSign[];
  /** The whole wait of such a job there, as it is forecast now. */
  readonly forecast: WaitForecast;
  readonly waitedSeconds: number;
  /** Until it has to run. */
  readonly leftSeconds: number;
}

/**
 * The chance that the job starts in time where it is. While jobs wait and none starts it counts as none: forecasts rest
 * on waits that have ended, and know nothing of a queue that stands still. With any other sign it is what is left of
 * the forecast: the chance to start within the time that is left, given that it has not started so far.
 */
export function chanceOfStaying({ signs, forecast, waitedSeconds, leftSeconds }: QueuedAtDownSite): number {
  if (signs.includes('NO_STARTS')) return 0;
  const soFar = probabilityToStartWithin(forecast, waitedSeconds);
  const inTime = probabilityToStartWithin(forecast, waitedSeconds + Math.max(0, leftSeconds));
  return (inTime - soFar) / (1 - soFar);
}
