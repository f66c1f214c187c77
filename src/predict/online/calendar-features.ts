import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';

/** Hour and weekday of a moment, by the clock its seconds count from. */
export function calendarFeatures(at: EpochSeconds): { timeOfDaySeconds: number; dayOfWeek: number } {
  return {
    timeOfDaySeconds: positiveRemainder(at, DAY_SECONDS),
    dayOfWeek: positiveRemainder(Math.floor(at / DAY_SECONDS), 7),
  };
}

function positiveRemainder(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
