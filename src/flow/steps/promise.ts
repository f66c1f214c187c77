import type { EpochSeconds } from '../../domain/clock.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';

/** What is known of the native job of a reservation. */
type JobFacts = Pick<ExecutionRow, 'state' | 'startedAt' | 'endedAt' | 'outcome'>;

/** When the job was last seen to wait or to run at its site; null for never. */
export interface LastSeen {
  readonly waitingAt: EpochSeconds | null;
  readonly runningAt: EpochSeconds | null;
}

/** For a job that nobody has looked at. */
export const UNSEEN: LastSeen = { waitingAt: null, runningAt: null };

/**
 * Whether a promise was kept: the job was running at `startAt`, in every mode: one that began its work at once and was
 * over by then was not there when it was wanted. Silence decides nothing, and neither does what was seen before
 * `startAt`: a job that ran then may have ended since, and one that no look shows may have run and ended.
 */
export function decidePromise(
  job: JobFacts,
  { startAt }: Pick<ReservationRow, 'startAt'>,
  { waitingAt, runningAt }: LastSeen,
  now: EpochSeconds,
): 'KEPT' | 'MISSED' | 'UNDECIDED' {
  if (job.endedAt !== null && job.endedAt <= startAt) return 'MISSED';
  if (now < startAt) return 'UNDECIDED';
  if (job.startedAt !== null && job.startedAt > startAt) return 'MISSED';
  if (job.startedAt === null) {
    return job.state === 'ENDED' || isAfter(waitingAt, startAt) ? 'MISSED' : 'UNDECIDED';
  }
  return job.endedAt !== null || isAfter(runningAt, startAt) ? 'KEPT' : 'UNDECIDED';
}

function isAfter(seenAt: EpochSeconds | null, startAt: EpochSeconds): boolean {
  return seenAt !== null && seenAt >= startAt;
}
