import type { JobRecord } from '../domain/job.ts';
import type { WaitingJob } from '../domain/snapshot.ts';
import type { RuntimeBelief } from './belief.ts';

/**
 * Runtimes that a site's scheduler works with in place of the requested walltimes; jobs are killed at those all the
 * same.
 */
export interface RuntimeEstimates {
  readonly scope: RuntimeBelief['scope'];
  /** Seconds a job is believed to run, asked once as it joins the queue; cut to the range from 1 to its walltime. */
  seconds(job: WaitingJob): number;
  /** Told of every job that ended by itself or at its walltime. */
  ended?(record: JobRecord): void;
}

/** Estimates as a cluster asks for them. */
export function beliefOf(
  estimates: RuntimeEstimates,
  shown: (job: number) => WaitingJob,
  record: (job: number) => JobRecord,
): RuntimeBelief {
  return {
    scope: estimates.scope,
    seconds: (_, job) => estimates.seconds(shown(job)),
    learn: (_, job) => estimates.ended?.(record(job)),
  };
}
