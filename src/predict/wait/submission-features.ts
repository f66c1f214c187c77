import type { EpochSeconds } from '../../domain/clock.ts';
import type { JobRecord } from '../../domain/job.ts';
import type { Snapshot, WaitingJob } from '../../domain/snapshot.ts';

/** A job at its submission, whether it is asked about or learned from. */
export interface SubmittedJob {
  readonly user: string | null;
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
}

/** A record as the job it was at its submission; without a requested walltime it asks for 0 seconds. */
export function submittedJob({
  user,
  queue,
  processors,
  requestedWalltimeSeconds,
}: WaitingJob | JobRecord): SubmittedJob {
  return { user, queue, processors, walltimeSeconds: requestedWalltimeSeconds ?? 0 };
}

/** What instance-based learning sees of a site's state. */
export interface StateSummary {
  readonly observedAt: EpochSeconds;
  /**
   * Waiting jobs, their processors and processor-seconds, the longest wait so far, running jobs, free processors, work
   * left.
   */
  readonly values: Float64Array;
}

/** Names of the state's values, in their order. */
export const STATE_FEATURES = [
  'waitingJobs',
  'waitingProcessors',
  'waitingProcessorSeconds',
  'longestElapsedWaitSeconds',
  'runningJobs',
  'freeProcessors',
  'runningProcessorSecondsLeft',
] as const;

/** Numeric features of a submission: processors, walltime, then the state's. */
export const NUMERIC_FEATURE_COUNT = 2 + STATE_FEATURES.length;

/** Sums a snapshot up, O(n). Amounts of work count on a logarithmic scale, because their ranges do. */
export function summariseState(snapshot: Snapshot): StateSummary {
  let [waitingProcessors, waitingWork, longestWait, workLeft] = [0, 0, 0, 0];
  for (const job of snapshot.waiting) {
    waitingProcessors += job.processors;
    waitingWork += job.processors * (job.requestedWalltimeSeconds ?? 0);
    longestWait = Math.max(longestWait, snapshot.observedAt - job.submitAt);
  }
  for (const job of snapshot.running) {
    const left = job.startAt + (job.requestedWalltimeSeconds ?? 0) - snapshot.observedAt;
    workLeft += job.processors * Math.max(0, left);
  }
  const amounts = [
    snapshot.waiting.length,
    waitingProcessors,
    waitingWork,
    longestWait,
    snapshot.running.length,
    snapshot.freeProcessors,
    workLeft,
  ];
  return { observedAt: snapshot.observedAt, values: Float64Array.from(amounts, Math.log1p) };
}

/** The numeric features of a job submitted in a state. */
export function numericFeatures(job: SubmittedJob, state: StateSummary): Float64Array {
  const features = new Float64Array(NUMERIC_FEATURE_COUNT);
  features[0] = Math.log1p(job.processors);
  features[1] = Math.log1p(job.walltimeSeconds);
  features.set(state.values, 2);
  return features;
}
