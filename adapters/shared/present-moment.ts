import type { EpochSeconds } from '../../src/domain/clock.ts';

/** The time of this machine: what an adapter compares a site's own times with. */
export function presentMoment(): EpochSeconds {
  return Date.now() / 1000;
}
