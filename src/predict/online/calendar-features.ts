import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import { positiveRemainder } from '../../domain/positive-remainder.ts';

/** Hour and weekday of a moment, by the clock its seconds count from. */
export function calendarFeatures(at: EpochSeconds): { timeOfDaySeconds: number; dayOfWeek: number } {
  return {
    timeOfDaySeconds: positiveRemainder(at, DAY_SECONDS),
    dayOfWeek: positiveRemainder(Math.floor(at / DAY_SECONDS), 7),
  };
}
