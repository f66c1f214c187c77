import type { EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import type { Snapshot, WaitingJob } from '../../../domain/snapshot.ts';

/** Number of histograms of a state: sizes, walltimes and elapsed times of waiting and of running jobs (Table I). */
export const HISTOGRAM_COUNT = 6;
/** Features of a job in a state (Table II). */
export const FEATURE_COUNT = 16;

/** What APQ sees of a job at its submission. */
export interface ApqTarget {
  /** The sixteen features of Table II. */
  readonly features: Float64Array;
  /** Histogram after histogram of Table I, each adding up to 1, or to 0 where there are no jobs; empty with no bins. */
  readonly histograms: Float32Array;
}

/**
 * The features and histograms of a job that finds a state, O(waiting + running jobs). A job without a walltime counts
 * as one of 0 s; without a state nobody waits or runs.
 * @param bins of each histogram; 0 for no histograms
 */
export function apqTargetOf(job: JobRequest, state: Snapshot | null, bins: number): ApqTarget {
  const features = new Float64Array(FEATURE_COUNT);
  const histograms = new Float32Array(HISTOGRAM_COUNT * bins);
  features[0] = job.processors;
  features[1] = job.requestedWalltimeSeconds ?? 0;
  if (state === null) return { features, histograms };
  const { waiting, running, observedAt } = state;
  for (const other of waiting) take(other, other.submitAt, WAITING, waiting.length);
  for (const other of running) take(other, other.startAt, RUNNING, running.length);
  return { features, histograms };

  function take(other: WaitingJob, sinceAt: EpochSeconds, side: number, jobs: number): void {
    const walltimeSeconds = other.requestedWalltimeSeconds ?? 0;
    const amounts = [other.processors, walltimeSeconds, observedAt - sinceAt];
    addAll(features, SITE_SUMS + 3 * side, amounts);
    if (other.user !== null && other.user === job.user) {
      const own = [other.processors * walltimeSeconds, other.processors, walltimeSeconds, 1];
      addAll(features, OWN_SUMS + 4 * side, own);
    }
    for (let i = 0; i < amounts.length && bins > 0; i++) {
      const at = (3 * side + i) * bins + binOf(amounts[i] as number, bins);
      histograms[at] = (histograms[at] as number) + 1 / jobs;
    }
  }
}

const WAITING = 0;
const RUNNING = 1;
/** Features 3 to 8: sums of sizes, walltimes and elapsed times over all waiting, then over all running jobs. */
const SITE_SUMS = 2;
/** Features 9 to 16: sums of processor-seconds, sizes, walltimes and numbers of the user's own jobs. */
const OWN_SUMS = 8;

function addAll(sums: Float64Array, offset: number, amounts: readonly number[]): void {
  for (let i = 0; i < amounts.length; i++) sums[offset + i] = (sums[offset + i] as number) + (amounts[i] as number);
}

/** Bin 0 up to 1, then equal steps on a logarithmic scale up to half a year. */
function binOf(amount: number, bins: number): number {
  return amount <= 1 ? 0 : Math.min(bins - 1, Math.ceil((Math.log2(amount) / LARGEST_LOG2) * (bins - 1)));
}

/** Log2 of the seconds of half a year; sizes are smaller. */
const LARGEST_LOG2 = 24;
