import type { RunningJob, WaitingJob } from '../../src/domain/snapshot.ts';
import { keyOfJobName } from '../shared/job-name.ts';
import { told } from '../shared/told.ts';
import type { PbsJob } from './parse.ts';

/** A job as everybody is shown it. */
export function asWaiting(job: PbsJob): WaitingJob {
  const { nativeId, name, user, queue, processors, requestedWalltimeSeconds, submitAt } = job;
  const planned = { user, queue, processors, requestedWalltimeSeconds, submitAt };
  return { nativeId, key: keyOfJobName(name), ...planned, ...told(job) };
}

/** A waiting job with why it waits and when the scheduler means to start it, where it says so. */
export function withPlan(job: PbsJob): WaitingJob {
  return { ...asWaiting(job), reason: job.comment, estimatedStartAt: job.estimatedStartAt };
}

/** A job of the listing that runs, where PBS says since when; one that is suspended with what PBS says of it. */
export function asRunning(job: PbsJob): RunningJob[] {
  const { phase, startAt, isSuspended, comment } = job;
  if (phase !== 'RUNNING' || startAt === null) return [];
  return [{ ...asWaiting(job), startAt, ...(isSuspended && { reason: comment ?? 'suspended' }) }];
}
