import type { EpochSeconds } from './clock.ts';
import { mixedHash } from './mixed-hash.ts';

/**
 * When a site is to be looked at again: an interval after the last look, or so much before or after it as brings the
 * site nearer to its own moment of each interval. Sites that were registered together would be looked at together for
 * good, and wait for each other.
 */
export function nextLookAt(siteName: string, lookedAt: EpochSeconds, intervalSeconds: number): EpochSeconds {
  const dueAt = lookedAt + intervalSeconds;
  const ownSeconds = (intervalSeconds * mixedHash(siteName)) / 2 ** 32;
  const behind = positiveRemainder(ownSeconds - dueAt, intervalSeconds);
  const shift = behind <= intervalSeconds / 2 ? behind : behind - intervalSeconds;
  const most = MOST_SHIFTED * intervalSeconds;
  return dueAt + Math.min(most, Math.max(-most, shift));
}

function positiveRemainder(value: number, by: number): number {
  return value - by * Math.floor(value / by);
}

const MOST_SHIFTED = 0.05;
