import { type EndedRecord, hasEnded, hasStarted, type JobRecord, type StartedRecord } from '../domain/job.ts';
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
  /** Told of every job that starts. */
  started?(record: StartedRecord): void;
  /** Told of every job that ended by itself or at its walltime. */
  ended?(record: EndedRecord): void;
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
    started(_, job) {
      const started = record(job);
      if (hasStarted(started)) estimates.started?.(started);
    },
    learn(_, job) {
      const ended = record(job);
      if (hasEnded(ended)) estimates.ended?.(ended);
    },
  };
}
