import type { EpochSeconds } from '../domain/clock.ts';
import { CallerError } from '../domain/failures.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import type { ReservationMode } from '../domain/reservation.ts';

/**
 * Until when a job that starts early holds its processors idle: `startAt` in mode HOLD, the opening of the window in
 * mode WINDOW, not at all (null) in mode BEST_EFFORT. Source: nurmi-varq, section 4.6.
 * @param windowOpensAt needed in mode WINDOW only, not after `startAt`
 * @throws CallerError INVALID when mode WINDOW lacks an opening or opens after `startAt`
 */
export function holdUntil(
  mode: ReservationMode,
  startAt: EpochSeconds,
  windowOpensAt: EpochSeconds | null,
): EpochSeconds | null {
  if (mode === 'HOLD') return startAt;
  if (mode === 'BEST_EFFORT') return null;
  if (windowOpensAt === null || windowOpensAt > startAt) {
    throw new CallerError('INVALID', 'windowOpensAt', 'mode WINDOW needs a windowOpensAt that is not after startAt');
  }
  return windowOpensAt;
}

/** Seconds a job may hold processors before its own work when it is submitted at `submitAt` and starts at once. */
export function longestHoldSeconds(holdUntilAt: EpochSeconds | null, submitAt: EpochSeconds): number {
  return holdUntilAt === null ? 0 : Math.max(0, holdUntilAt - submitAt);
}

/**
 * Seconds a job is expected to hold processors before its own work: the mean over the forecast's hundred slices of
 * equal probability, each taken at the middle of its ends; the first begins at no wait, the last never starts early.
 */
export function expectedHoldSeconds(
  holdUntilAt: EpochSeconds | null,
  submitAt: EpochSeconds,
  { quantileSeconds }: Pick<WaitForecast, 'quantileSeconds'>,
): number {
  const longest = longestHoldSeconds(holdUntilAt, submitAt);
  let sum = 0;
  let before = longest;
  for (const waitSeconds of quantileSeconds) {
    const hold = Math.max(0, longest - waitSeconds);
    sum += (before + hold) / 2;
    before = hold;
    if (hold === 0) break;
  }
  return (sum + before / 2) / (quantileSeconds.length + 1);
}
