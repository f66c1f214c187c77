import type { EpochSeconds } from '../domain/clock.ts';
import type { Snapshot } from '../domain/snapshot.ts';

/**
 * Moment up to which a predictor's facts reach: its newest known start or the snapshot, whichever is later; `now` with
 * neither.
 */
export function knownUpTo(newestStartAt: EpochSeconds | null, state: Snapshot | null, now: EpochSeconds): EpochSeconds {
  if (newestStartAt === null) return state?.observedAt ?? now;
  return state === null ? newestStartAt : Math.max(newestStartAt, state.observedAt);
}
