import type { JobColumns } from './job-table.ts';

/**
 * Which runtime a scheduler believes instead of the requested walltime. Jobs are still killed at their walltime only.
 * With scope `waiting` the belief decides who may be backfilled while running jobs are expected to last until their
 * walltime; with `all` it says that of running jobs too, and one that outruns it is from then on expected to last until
 * its walltime.
 */
export interface RuntimeBelief {
  readonly scope: 'waiting' | 'all';
  /** Seconds the job is believed to run, asked once as it joins the queue; cut to the range from 1 to its walltime. */
  seconds(columns: JobColumns, job: number): number;
  started?(columns: JobColumns, job: number): void;
  /** A job ended by itself or at its walltime. */
  learn?(columns: JobColumns, job: number): void;
}
