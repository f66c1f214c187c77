import type { EpochSeconds } from '../../domain/clock.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import type { Workload } from '../../sim/workload.ts';

/** A job of one of several logs that are lived through side by side. */
export interface StreamedJob extends SimulatedJob {
  /** Which log it is from, by its place. */
  readonly home: number;
  /** Of which log's users, so that equal numbers of two logs are two people. */
  readonly user: string | null;
}

/** A log with the machine that it ran on. */
export interface HomeLog {
  readonly log: Workload;
  readonly processors: number;
}

/**
 * The jobs of several logs in the order of their submission, as if all logs began at 0, until the first of them is
 * over; so each site has its own arrivals all the while. Jobs that did not run, or did not fit their own machine, are
 * left out.
 */
export function mergedStream(homes: readonly HomeLog[]): StreamedJob[] {
  const jobs = homes.flatMap(({ log, processors }, home) => jobsOf(log, processors, home));
  const untilAt = Math.min(...homes.map((_, home) => lastOf(jobs, home)));
  return jobs.filter(({ submitAt }) => submitAt <= untilAt).sort((a, b) => a.submitAt - b.submitAt || a.home - b.home);
}

function jobsOf(log: Workload, processors: number, home: number): StreamedJob[] {
  const logged = new LoggedJobs(log, processors);
  const { submitAt, runSeconds, allocatedProcessors } = log.columns;
  const beganAt = submitAt[0] ?? 0;
  return Array.from({ length: log.length }, (_, number): StreamedJob | null => {
    const ran = (runSeconds[number] as number) > 0 && (allocatedProcessors[number] as number) > 0;
    const job = ran ? logged.jobAt(number) : null;
    const user = log.userOf(number);
    return job && { ...job, submitAt: job.submitAt - beganAt, home, user: user === null ? null : `${home}:${user}` };
  }).filter((job) => job !== null);
}

function lastOf(jobs: readonly StreamedJob[], home: number): EpochSeconds {
  return jobs.findLast((job) => job.home === home)?.submitAt ?? 0;
}
