import { type EndedRecord, hasRun, type JobRequest, ranSeconds, wasTakenDown } from '../../domain/job.ts';

/** The walltime that a job requests, in seconds; null where none is, or none that could be. */
export function requestedSeconds({ requestedWalltimeSeconds }: JobRequest): number | null {
  const requested = requestedWalltimeSeconds ?? 0;
  return requested > 0 && Number.isFinite(requested) ? requested : null;
}

/**
 * The share of its walltime that a job ran, from 0 to 1, which is also that of a job that was killed at its walltime or
 * ran beyond. Null where no walltime was requested, the job never ran, or the site took it down.
 * Source: Tang et al. 2013, JPDC 73(7), section 3.2.
 */
export function usedShare(record: EndedRecord): number | null {
  const requested = requestedSeconds(record);
  if (requested === null || !hasRun(record) || wasTakenDown(record)) return null;
  return Math.min(1, ranSeconds(record) / requested);
}
