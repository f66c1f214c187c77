import type { EpochSeconds } from '../../src/domain/clock.ts';
import { invariant } from '../../src/domain/failures.ts';
import type { NativeJob } from '../../src/domain/site-adapter.ts';
import type { RunningJob, WaitingJob } from '../../src/domain/snapshot.ts';
import { keyOfJobName } from '../shared/job-name.ts';
import { told } from '../shared/told.ts';
import { type AccountingEntry, outcomeOf, wasPutBack } from './accounting.ts';
import { scriptStatus } from './native-script.ts';
import type { JobDetail } from './parse.ts';
import type { DatedJob } from './submission-times.ts';

/** A job of the listing as snapshots show it. */
export function asWaiting(job: DatedJob): WaitingJob {
  const { nativeId, name, user, queue, processors, requestedWalltimeSeconds, submitAt, priority } = job;
  const planned = { user, queue, processors, requestedWalltimeSeconds, submitAt, priority };
  return { nativeId, key: keyOfJobName(name), ...planned, ...told(job) };
}

/**
 * A waiting job with why it waits: the scheduler's words, and where there are none the letters of its state, as far as
 * they tell of a hold or an error. Grid Engine makes no estimate of starts.
 */
export function withReason(job: DatedJob, details: ReadonlyMap<string, JobDetail>): WaitingJob {
  const stateSays = /[hE]/.test(job.state) ? job.state : null;
  return { ...asWaiting(job), reason: details.get(job.nativeId)?.schedulerSays ?? stateSays };
}

/** A running job, with the letters of its state where one says that it is suspended; none where no start is told. */
export function asRunning(job: DatedJob): RunningJob[] {
  const { startAt, state } = job;
  if (startAt === null) return [];
  return [{ ...asWaiting(job), startAt, ...(/[sST]/.test(state) && { reason: state }) }];
}

/** The state of a job that is in the queue. */
export function jobOfListing({ nativeId, submitAt, startAt, phase }: DatedJob): NativeJob {
  const ref = { nativeId, submittedAt: submitAt, endAt: null, outcome: null };
  if (phase === 'WAITING') return { ...ref, state: 'WAITING', startAt: null };
  invariant(startAt !== null, `Grid Engine lists job ${nativeId} as running without its start`);
  return { ...ref, state: 'RUNNING', startAt };
}

/** The last run of each job, by native id, of lines in the order of the file. */
export function lastRuns(entries: readonly AccountingEntry[]): Map<string, AccountingEntry> {
  return new Map(entries.map((entry) => [entry.nativeId, entry]));
}

/**
 * The end of a job that is in the queue no more. One that was put back there and has left without another run was
 * deleted there, of which Grid Engine keeps no record.
 * @param submittedAt for lines that do not tell it
 */
export function endOf(run: AccountingEntry, submittedAt: EpochSeconds): NativeJob {
  const { nativeId, submitAt, startAt, endAt } = run;
  const ref = { nativeId, submittedAt: submitAt ?? submittedAt };
  const end = { state: 'ENDED', startAt, endAt: endAt ?? startAt ?? ref.submittedAt } as const;
  if (wasPutBack(run)) return { ...ref, ...end, outcome: 'CANCELLED', exitCode: null };
  const outcome = outcomeOf(run);
  const ranToItsEnd = outcome === 'COMPLETED' || (outcome === 'FAILED' && startAt !== null);
  return { ...ref, ...end, outcome, exitCode: ranToItsEnd ? scriptStatus(run.exitStatus) : null };
}
