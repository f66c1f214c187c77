import type { EpochSeconds } from '../../../domain/clock.ts';
import type { Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import type { SubmittedJob } from '../submission-features.ts';

/** Number of histograms of a state: sizes, walltimes and elapsed times of waiting and of running jobs (Table I). */
export const HISTOGRAM_COUNT = 6;
/** Bins of each, on a logarithmic scale of base 4. */
export const HISTOGRAM_BINS = 12;
/** Features of a job in a state (Table II). */
export const FEATURE_COUNT = 16;

/** What APQ sees of a site at one moment. */
export interface ApqState {
  readonly observedAt: EpochSeconds;
  /** Histogram after histogram, each adding up to 1, or to 0 where there are no jobs. */
  readonly histograms: Float32Array;
  /** Features 3 to 8: sums over all waiting, then over all running jobs of sizes, walltimes and elapsed times. */
  readonly sums: Float64Array;
  /** Features 9 to 16 of each user who has jobs. */
  readonly sumsByUser: ReadonlyMap<string, Float64Array>;
}

/** Sums a snapshot up, O(n). A job without a walltime counts as one of 0 s. */
export function apqStateOf(snapshot: Snapshot): ApqState {
  const histograms = new Float32Array(HISTOGRAM_COUNT * HISTOGRAM_BINS);
  const sums = new Float64Array(6);
  const sumsByUser = new Map<string, Float64Array>();
  const take = (job: WaitingJob, sinceAt: EpochSeconds, side: number, jobs: number) => {
    const walltimeSeconds = job.requestedWalltimeSeconds ?? 0;
    [job.processors, walltimeSeconds, snapshot.observedAt - sinceAt].forEach((amount, i) => {
      const bin = (3 * side + i) * HISTOGRAM_BINS + binOf(amount);
      histograms[bin] = (histograms[bin] as number) + 1 / jobs;
      sums[3 * side + i] = (sums[3 * side + i] as number) + amount;
    });
    addToUser(sumsByUser, job, walltimeSeconds, side);
  };
  for (const job of snapshot.waiting) take(job, job.submitAt, 0, snapshot.waiting.length);
  for (const job of snapshot.running) take(job, job.startAt, 1, snapshot.running.length);
  return { observedAt: snapshot.observedAt, histograms, sums, sumsByUser };
}

/** The sixteen features of Table II. */
export function apqFeatures(job: SubmittedJob, state: ApqState): Float64Array {
  const features = new Float64Array(FEATURE_COUNT);
  features[0] = job.processors;
  features[1] = job.walltimeSeconds;
  features.set(state.sums, 2);
  const own = job.user === null ? undefined : state.sumsByUser.get(job.user);
  if (own) features.set(own, 8);
  return features;
}

/** Of a site that was not observed: nobody waits or runs. */
export const NO_STATE: ApqState = {
  observedAt: 0,
  histograms: new Float32Array(HISTOGRAM_COUNT * HISTOGRAM_BINS),
  sums: new Float64Array(6),
  sumsByUser: new Map(),
};

function addToUser(sums: Map<string, Float64Array>, job: WaitingJob, walltimeSeconds: number, side: number): void {
  if (job.user === null) return;
  const own = sums.get(job.user) ?? new Float64Array(8);
  [job.processors * walltimeSeconds, job.processors, walltimeSeconds, 1].forEach((amount, i) => {
    own[4 * side + i] = (own[4 * side + i] as number) + amount;
  });
  sums.set(job.user, own);
}

/** Bin 0 up to 1, then a bin for each factor of 4. */
function binOf(amount: number): number {
  return amount <= 1 ? 0 : Math.min(HISTOGRAM_BINS - 1, Math.ceil(Math.log2(amount) / 2));
}
