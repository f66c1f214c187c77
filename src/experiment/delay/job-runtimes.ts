import type { EpochSeconds } from '../../domain/clock.ts';
import type { RuntimeForecast } from '../../domain/forecast.ts';
import { type JobRequest, plannedWalltimeSeconds, type SubmittedJob } from '../../domain/job.ts';
import { runtimeSoFar } from '../../domain/runtime-so-far.ts';
import type { RunningJob, WaitingJob } from '../../domain/snapshot.ts';
import type { RuntimePredictor } from '../../predict/predictor.ts';
import { jobNamed } from '../../sim/cluster-snapshot.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Arrival } from '../../sim/submission-hook.ts';

/** How long the jobs of a site are taken to run. */
export interface RuntimesOfJobs {
  /** A job that has just come. */
  ofArrival(arrival: Arrival): number;
  /** From its start to its end, of a job that waits or runs now. */
  ofJob(job: WaitingJob | RunningJob, site: ReplayedSite): number;
}

/** What no forecast can know. */
export const TRUE_RUNTIMES: RuntimesOfJobs = {
  ofArrival: ({ job }) => job.runSeconds,
  ofJob({ nativeId }, { cluster }) {
    return cluster.table.columns.runSeconds[jobNamed(cluster, nativeId) ?? -1] as number;
  },
};

/**
 * What a predictor says: of each job once, as it joins the queue, and of one that runs what that leaves beyond the time
 * that it has run. The walltime where it says nothing.
 */
export class ForecastRuntimes implements RuntimesOfJobs {
  private readonly said = new Map<string, RuntimeForecast>();

  constructor(readonly predictor: RuntimePredictor) {}

  /** To be told of every job as it joins the queue, before the predictor is. */
  submitted(job: SubmittedJob): void {
    this.said.set(job.nativeId, this.predictor.predict(job, null, job.submitAt));
  }

  ended(nativeId: string): void {
    this.said.delete(nativeId);
  }

  ofArrival(arrival: Arrival): number {
    const request = requestOfArrival(arrival);
    return within(this.predictor.predict(request, null, arrival.at).pointSeconds, request);
  }

  /** Percentiles 1 to 99 of the same. */
  percentilesOf(arrival: Arrival): number[] {
    const request = requestOfArrival(arrival);
    return this.predictor.predict(request, null, arrival.at).quantileSeconds.map((seconds) => within(seconds, request));
  }

  ofJob(job: SubmittedJob | RunningJob, { now }: { readonly now: EpochSeconds }): number {
    const said = this.said.get(job.nativeId);
    if (!said) return plannedWalltimeSeconds(job);
    const elapsedSeconds = 'startAt' in job ? now - job.startAt : 0;
    return within(runtimeSoFar(said, elapsedSeconds, job.requestedWalltimeSeconds).pointSeconds, job);
  }
}

function requestOfArrival({ user, queue, job }: Arrival): JobRequest {
  return { user, queue, processors: job.processors, requestedWalltimeSeconds: job.walltimeSeconds };
}

function within(seconds: number, job: JobRequest): number {
  const walltimeSeconds = plannedWalltimeSeconds(job);
  return Number.isFinite(seconds) ? Math.min(Math.max(1, seconds), walltimeSeconds) : walltimeSeconds;
}
