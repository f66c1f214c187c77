import type { Cluster } from './cluster.ts';
import { LoggedJobs } from './logged-jobs.ts';
import { ReplayedSite, type ReplayedSiteOptions } from './replayed-site.ts';
import type { Remarks, Workload } from './workload.ts';

export interface SimulateOptions
  extends Omit<ReplayedSiteOptions, 'watch' | 'showsOwners' | 'expectedJobs' | 'fromAt'> {
  /** Told now and then how many of how many jobs have been submitted. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What became of every job of a workload. Row i of `cluster.table` is job `jobOf[i]` of the workload. */
export interface Simulation {
  readonly cluster: Cluster;
  readonly jobOf: Int32Array;
  /** What was changed or left out on the way from the log to the machine. */
  readonly remarks: Remarks;
}

/** Runs a whole workload through one site until the last job has ended. */
export function simulate(workload: Workload, { onProgress, ...options }: SimulateOptions): Simulation {
  const jobs = new LoggedJobs(workload, options.processors, options.ties);
  const site = new ReplayedSite(jobs, { ...options, expectedJobs: workload.length });
  while (site.taken < workload.length) {
    onProgress?.(site.taken, workload.length);
    const next = Math.min(site.taken + PROGRESS_JOBS, workload.length) - 1;
    site.advanceTo(workload.columns.submitAt[next] as number);
  }
  site.advanceTo(Number.POSITIVE_INFINITY);
  onProgress?.(workload.length, workload.length);
  return { cluster: site.cluster, jobOf: site.sourceNumbers, remarks: jobs.remarks };
}

const PROGRESS_JOBS = 0x4000;
