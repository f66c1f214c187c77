import type { EpochSeconds } from '../../domain/clock.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';

/** What is known of the native job of a reservation. */
type JobFacts = Pick<ExecutionRow, 'state' | 'startedAt' | 'endedAt' | 'outcome'>;

/**
 * Whether a promise was kept: the job was running at `startAt`, in every mode: one that began its work at once and was over by then was
 * not there when it was wanted. Silence decides nothing: a job not known to have started is only late when it was seen waiting after `startAt`. One that a snapshot does not show
 * may have run and ended.
 * @param waitingAt moment of the site's newest snapshot if that shows the job waiting, otherwise null
 */
export function decidePromise(
  job: JobFacts,
  { startAt }: Pick<ReservationRow, 'startAt'>,
  waitingAt: EpochSeconds | null,
  now: EpochSeconds,
): 'KEPT' | 'MISSED' | 'UNDECIDED' {
  const startedInTime = job.startedAt !== null && job.startedAt <= startAt;
  if (job.endedAt !== null && job.endedAt <= startAt) return 'MISSED';
  if (now < startAt) return 'UNDECIDED';
  if (startedInTime) return 'KEPT';
  if (job.startedAt !== null || job.state === 'ENDED') return 'MISSED';
  return waitingAt !== null && waitingAt >= startAt ? 'MISSED' : 'UNDECIDED';
}
