import type { EpochSeconds } from '../../domain/clock.ts';
import type { JobRequest } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';

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

/** A state that nobody has seen. */
export const UNKNOWN_STATE: StateSummary = { observedAt: 0, values: new Float64Array(STATE_FEATURES.length) };

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
export function numericFeatures(job: JobRequest, state: StateSummary): Float64Array {
  const features = new Float64Array(NUMERIC_FEATURE_COUNT);
  features[0] = Math.log1p(job.processors);
  features[1] = Math.log1p(job.requestedWalltimeSeconds ?? 0);
  features.set(state.values, 2);
  return features;
}
