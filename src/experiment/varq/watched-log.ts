import type { EpochSeconds } from '../../domain/clock.ts';
import { hasEnded, hasStarted, type JobRecord } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import { tell } from '../../predict/past/tell.ts';
import type { SiteListener } from '../../predict/predictor.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import { POLICIES, type PolicyName } from '../../sim/policy.ts';
import { ReplayedSite, type ReplayedSiteListener } from '../../sim/replayed-site.ts';
import type { Workload } from '../../sim/workload.ts';

/** What is unlike a whole log that is watched from its first job on. */
export interface WatchedLogOptions {
  /** Jobs of the log that are not handed in as they were. */
  readonly left?: ReadonlySet<number>;
  /** Before which the predictor sees nothing of the site; the first submission unless told. */
  readonly watchedFromAt?: EpochSeconds;
  /**
   * Whether the predictor is shown users and queues; it is not unless told, as when the published figures were made.
   */
  readonly showsOwners?: boolean;
  /** By which it schedules; EASY unless told. */
  readonly policy?: PolicyName;
  /** Shown every snapshot, after the predictor. */
  readonly onObserved?: (state: Snapshot) => void;
}

/** A log that is replayed, with a predictor that is told what happens and shown a snapshot every so often. */
export function watchedLog(
  workload: Workload,
  processors: number,
  predictor: SiteListener,
  snapshotSeconds: number,
  {
    left,
    watchedFromAt = Number.NEGATIVE_INFINITY,
    showsOwners = false,
    policy = 'easy',
    onObserved,
  }: WatchedLogOptions,
): ReplayedSite {
  const fromAt = workload.columns.submitAt[0] ?? 0;
  const site: ReplayedSite = new ReplayedSite(
    new LoggedJobs(workload, processors),
    {
      processors,
      policy: POLICIES[policy],
      fromAt,
      expectedJobs: workload.length,
      watch: { fromAt: Math.max(fromAt, watchedFromAt), everySeconds: snapshotSeconds },
      showsOwners,
      ...(left ? { atSubmission: ({ number, job }) => (left.has(number) ? null : job) } : {}),
    },
    predictorListening(predictor, watchedFromAt, (job) => site.record(job), onObserved),
  );
  return site;
}

/** Tells a predictor what happens from a moment on, each thing as it happens. */
function predictorListening(
  predictor: SiteListener,
  fromAt: EpochSeconds,
  recordOf: (job: number) => JobRecord,
  onObserved?: (state: Snapshot) => void,
): ReplayedSiteListener {
  return {
    submitted(job, at) {
      if (at >= fromAt) tell(predictor, { kind: 'submit', submission: submissionOf(recordOf(job)) });
    },
    started(job, at) {
      const record = recordOf(job);
      if (at >= fromAt && hasStarted(record)) tell(predictor, { kind: 'start', record });
    },
    ended(job, at) {
      const record = recordOf(job);
      if (at >= fromAt && hasEnded(record)) tell(predictor, { kind: 'end', record });
    },
    observed(state) {
      tell(predictor, { kind: 'snapshot', state });
      onObserved?.(state);
    },
  };
}
