import { hasEnded, hasStarted } from '../../domain/job.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import { tell } from '../../predict/past/tell.ts';
import type { SiteListener } from '../../predict/predictor.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import { POLICIES } from '../../sim/policy.ts';
import { ReplayedSite, type ReplayedSiteListener } from '../../sim/replayed-site.ts';
import type { SubmissionHook } from '../../sim/submission-hook.ts';
import type { Workload } from '../../sim/workload.ts';
import type { ForecastRuntimes } from './job-runtimes.ts';

/** One schedule of a log under EASY. */
export interface DelayScheduleOptions {
  readonly processors: number;
  readonly atSubmission?: SubmissionHook;
  /** Told what happens, and shown snapshots where it wants them. */
  readonly listeners?: readonly SiteListener[];
  readonly runtimes?: ForecastRuntimes | null;
  readonly snapshotSeconds?: number;
  onProgress?(doneJobs: number): void;
}

/** What became of each job of a log, by its number; not-a-number of one that was left out. */
export interface DelaySchedule {
  readonly startAt: Float64Array;
  readonly endAt: Float64Array;
  readonly processors: Float64Array;
}

/** Runs a log through a machine until the last job has ended. */
export function delaySchedule(workload: Workload, options: DelayScheduleOptions): DelaySchedule {
  const { processors, atSubmission, listeners = [], snapshotSeconds = 0 } = options;
  const fromAt = workload.columns.submitAt[0] ?? 0;
  const isWatched = listeners.some(({ observed }) => observed);
  const site: ReplayedSite = new ReplayedSite(
    new LoggedJobs(workload, processors),
    {
      processors,
      policy: POLICIES.easy,
      fromAt,
      expectedJobs: workload.length,
      ...(isWatched && snapshotSeconds > 0 ? { watch: { fromAt, everySeconds: snapshotSeconds } } : {}),
      ...(atSubmission ? { atSubmission } : {}),
    },
    listening(options, () => site),
  );
  for (let job = 0; job < workload.length; job += PROGRESS_JOBS) {
    options.onProgress?.(job);
    site.advanceTo(workload.columns.submitAt[Math.min(job + PROGRESS_JOBS, workload.length) - 1] as number);
  }
  site.advanceTo(Number.POSITIVE_INFINITY);
  return scheduleOf(site, workload.length);
}

function listening(
  { listeners = [], runtimes = null }: DelayScheduleOptions,
  site: () => ReplayedSite,
): ReplayedSiteListener {
  const tellAll = (event: Parameters<typeof tell>[1]) => {
    for (const listener of listeners) tell(listener, event);
  };
  return {
    submitted(job) {
      runtimes?.submitted(site().shown(job));
      tellAll({ kind: 'submit', submission: submissionOf(site().record(job)) });
    },
    started(job) {
      const record = site().record(job);
      if (hasStarted(record)) tellAll({ kind: 'start', record });
    },
    ended(job) {
      const record = site().record(job);
      if (hasEnded(record)) tellAll({ kind: 'end', record });
      runtimes?.ended(record.nativeId);
    },
    observed: (state) => tellAll({ kind: 'snapshot', state }),
  };
}

function scheduleOf({ cluster, sourceNumbers }: ReplayedSite, jobs: number): DelaySchedule {
  const schedule = {
    startAt: new Float64Array(jobs).fill(Number.NaN),
    endAt: new Float64Array(jobs).fill(Number.NaN),
    processors: new Float64Array(jobs),
  };
  const { startAt, endAt, processors } = cluster.table.columns;
  for (const [row, number] of sourceNumbers.entries()) {
    schedule.startAt[number] = startAt[row] as number;
    schedule.endAt[number] = endAt[row] as number;
    schedule.processors[number] = processors[row] as number;
  }
  return schedule;
}

const PROGRESS_JOBS = 500;
