import type { EpochSeconds } from './clock.ts';
import { mixedHash } from './mixed-hash.ts';
import { positiveRemainder } from './positive-remainder.ts';

/**
 * When a site is to be looked at again: an interval after the last look, or so much before or after it as brings the
 * site nearer to its own moment of each interval. Sites that were registered together would be looked at together for
 * good, and wait for each other.
 * @param siteName by which seeds of a simulation replay; a site's id is another one in each run
 */
export function nextLookAt(siteName: string, lookedAt: EpochSeconds, intervalSeconds: number): EpochSeconds {
  const dueAt = lookedAt + intervalSeconds;
  const ownSeconds = (intervalSeconds * mixedHash(siteName)) / 2 ** 32;
  const behind = positiveRemainder(ownSeconds - dueAt, intervalSeconds);
  const shift = behind <= intervalSeconds / 2 ? behind : behind - intervalSeconds;
  const most = MOST_SHIFTED * intervalSeconds;
  return dueAt + Math.min(most, Math.max(-most, shift));
}

/** Of the interval. */
const MOST_SHIFTED = 0.05;
