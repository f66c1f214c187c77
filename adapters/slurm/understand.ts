import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobOutcome, JobRecord } from '../../src/domain/job.ts';
import type { MaintenanceWindow, QueueFacts } from '../../src/domain/site.ts';
import type { NativeJob, NativeRef } from '../../src/domain/site-adapter.ts';
import type { RunningJob, WaitingJob } from '../../src/domain/snapshot.ts';
import { jobNameOf, keyOfJobName } from '../shared/job-name.ts';
import { told, toldUse } from '../shared/told.ts';
import type { ForbiddenPartition } from './access.ts';
import { averageNodes, isInService, largestJob, nodesOf, processorsOf, setAside } from './node-sizes.ts';
import { meaningOf, type SlurmJob, type SlurmNodes, type SlurmPartition, type SlurmReservation } from './slurm-job.ts';

/** The jobs that wait, those that would start first at the head, and the jobs that run. */
export function splitQueue(jobs: readonly SlurmJob[]): { waiting: WaitingJob[]; running: RunningJob[] } {
  const byPriority = [...jobs].sort((a, b) => b.priority - a.priority || a.submitAt - b.submitAt);
  const waiting: WaitingJob[] = [];
  const running: RunningJob[] = [];
  for (const job of byPriority) {
    const meaning = meaningOf(job.state);
    if (meaning === 'WAITING') waiting.push(asWaiting(job));
    if (meaning === 'RUNNING' && job.startAt !== null) running.push(asRunning(job, job.startAt));
  }
  return { waiting, running };
}

function asRunning(job: SlurmJob, startAt: EpochSeconds): RunningJob {
  const isSuspended = job.state === 'SUSPENDED' || job.state === 'STOPPED';
  return { ...asListed(job), startAt, ...(isSuspended && { reason: job.state }) };
}

function asWaiting(job: SlurmJob): WaitingJob {
  const { reason = null, startAt: estimatedStartAt, priority } = job;
  return { ...asListed(job), reason, estimatedStartAt, priority };
}

function asListed(job: SlurmJob): WaitingJob {
  return {
    nativeId: job.id,
    key: keyOfJobName(job.name),
    user: job.user,
    queue: job.partition,
    processors: job.processors,
    requestedWalltimeSeconds: job.timeLimitSeconds,
    submitAt: job.submitAt,
    ...amountsTold(job),
    ...told(job),
  };
}

function amountsTold({ gpus, memoryMebibytes }: SlurmJob): Pick<WaitingJob, 'gpus' | 'memoryMebibytes'> {
  return { ...(gpus ? { gpus } : {}), ...(memoryMebibytes ? { memoryMebibytes } : {}) };
}

/**
 * A job as the adapter interface has it; null when the source does not (yet) tell enough, so that nothing is claimed. A
 * job that was put back into the queue has several runs; the newest submission is the present one.
 */
export function asNativeJob(job: SlurmJob): NativeJob | null {
  const key = keyOfJobName(job.name);
  const ref = { nativeId: job.id, submittedAt: job.submitAt, ...(key === null ? {} : { key }) };
  const meaning = meaningOf(job.state);
  if (meaning === null) return null;
  if (meaning === 'WAITING') return { ...ref, state: 'WAITING', startAt: null, endAt: null, outcome: null };
  const startAt = job.hasNodes ? job.startAt : null;
  if (meaning === 'RUNNING') {
    return startAt === null ? null : { ...ref, state: 'RUNNING', startAt, endAt: null, outcome: null };
  }
  if (job.endAt === null) return null;
  const billed = job.billing ? { billedProcessors: job.billing } : {};
  const end = { startAt, endAt: job.endAt, outcome: meaning, ...scriptEnd(job, meaning), ...billed };
  return { ...ref, state: 'ENDED', ...end };
}

/**
 * The status of a script as a shell gives it, where its job ran to its end. Where Slurm cannot start one it writes an
 * error of its own as if that were a signal: 53 is that of files, 4021. Source: slurm/slurm_errno.h.
 */
function scriptEnd(job: SlurmJob, meaning: JobOutcome): Pick<EndedJob, 'exitCode' | 'note'> {
  const { exitCode, otherExitCode, signal = null } = job;
  if (meaning !== 'COMPLETED' && meaning !== 'FAILED') return { exitCode: null };
  if (signal === null && otherExitCode === undefined) return { exitCode };
  if (signal === null) return { exitCode, note: `or ${otherExitCode}, as accounting takes 128 from such codes` };
  if (signal < FIRST_REAL_TIME_SIGNAL) return { exitCode: SHELL_SIGNAL + signal };
  const why = signal === IO_ERROR ? 'its output files could not be opened' : 'its script may not have been started';
  return { exitCode: null, note: `${why} (Slurm tells signal ${signal})` };
}

type EndedJob = Extract<NativeJob, { state: 'ENDED' }>;

const SHELL_SIGNAL = 128;
const FIRST_REAL_TIME_SIGNAL = 32;
const IO_ERROR = 53;

/** A job's line of the site's history; null unless it has ended. */
export function asRecord(job: SlurmJob): JobRecord | null {
  const native = asNativeJob(job);
  if (native?.state !== 'ENDED') return null;
  return {
    nativeId: job.id,
    user: job.user,
    queue: job.partition,
    processors: job.processors,
    requestedWalltimeSeconds: job.timeLimitSeconds,
    submitAt: job.submitAt,
    startAt: native.startAt,
    endAt: native.endAt,
    outcome: native.outcome,
    ...amountsTold(job),
    ...told(job),
    ...(native.startAt === null ? {} : toldUse(job.use)),
  };
}

/** Seconds by which a submission's moment may differ between our clock and the site's. */
const SAME_SUBMISSION_SECONDS = 60;

/** Names of states in which a run ends whose job may be put back into the queue. */
const PUT_BACK_STATES = ['REQUEUED', 'PREEMPTED', 'NODE_FAIL', 'BOOT_FAIL'];

/**
 * The present run of the job that is meant, among jobs that may have got its id before or after it: the one that bears
 * the key, or where none does the one submitted at that time, which may have given itself another name. A job that was
 * put back into the queue has further runs, under later submission times and whatever name it had by then.
 * @param isCounted which runs are of interest; all of them tell which job it is
 */
export function runOf(
  ref: NativeRef,
  jobs: readonly SlurmJob[],
  isCounted: (job: SlurmJob) => boolean = () => true,
): SlurmJob | null {
  const sameId = jobs.filter(({ id }) => id === ref.nativeId);
  const isKeyed = (job: SlurmJob) => ref.key !== undefined && job.name === jobNameOf(ref.key);
  const isRenamed = (job: SlurmJob) =>
    isSameSubmission(ref, job) && (ref.key === undefined || keyOfJobName(job.name) === null);
  const own = sameId.find(isKeyed) ?? sameId.find(isRenamed);
  if (!own) return null;
  const runs = sameId.filter(({ name }) => name === own.name);
  const isPutBack = runs.some(({ state }) => PUT_BACK_STATES.includes(state));
  const isFurther = ({ name, submitAt }: SlurmJob) => keyOfJobName(name) === null && submitAt > own.submitAt;
  const all = isPutBack ? sameId.filter((job) => runs.includes(job) || isFurther(job)) : runs;
  return newestRun(all.filter(isCounted));
}

function isSameSubmission({ submittedAt }: NativeRef, job: SlurmJob): boolean {
  return Math.abs(job.submitAt - submittedAt) <= SAME_SUBMISSION_SECONDS;
}

/** The run that was submitted last; null of none. */
export function newestRun(jobs: readonly SlurmJob[]): SlurmJob | null {
  return jobs.reduce<SlurmJob | null>(
    (newest, job) => (newest && newest.submitAt >= job.submitAt ? newest : job),
    null,
  );
}

/**
 * What accounting and the queue say of how a job ended: the newer of its runs, for accounting may not yet have the end
 * of the last one. Of one run accounting is believed, and only the queue has the exit code for certain.
 */
export function together(ended: SlurmJob | null | undefined, inQueue: SlurmJob | null | undefined): SlurmJob | null {
  if (!ended || !inQueue) return ended ?? inQueue ?? null;
  if (ended.submitAt !== inQueue.submitAt) return newestRun([ended, inQueue]);
  const { otherExitCode: _, ...certain } = ended;
  const run = inQueue.exitCode === null ? ended : certain;
  return { ...run, exitCode: inQueue.exitCode ?? run.exitCode, signal: inQueue.signal ?? run.signal };
}

/** For how long a job held processors in runs before the one given, by all that accounting has of it. */
export function earlierRunSeconds(present: SlurmJob, jobs: readonly SlurmJob[]): number {
  return jobs
    .filter(({ id, submitAt }) => id === present.id && submitAt < present.submitAt)
    .filter(({ name, state }) => name === present.name || PUT_BACK_STATES.includes(state))
    .map(({ hasNodes, startAt, endAt }) => (hasNodes && startAt !== null && endAt !== null ? endAt - startAt : 0))
    .reduce((sum, seconds) => sum + Math.max(0, seconds), 0);
}

/**
 * What Slurm has set aside; a maintenance of as many processors as there are is one of the whole site.
 * @param nodes of all partitions; null where they are not told
 */
export function asMaintenance(
  reservations: readonly SlurmReservation[],
  processors: number,
  partitions: readonly SlurmPartition[],
  nodes: readonly SlurmNodes[] | null,
): MaintenanceWindow[] {
  return reservations.map((reservation) => {
    const { name, startAt, endAt, processors: some, isMaintenance } = reservation;
    return {
      startAt,
      endAt,
      processors: some !== null && some < processors ? some : null,
      reason: `${isMaintenance ? 'maintenance' : 'reservation'} ${name}`,
      ...(nodes && { queues: setAside(reservation, partitions, nodes) }),
    };
  });
}

/**
 * A queue with the largest job it can ever start, and the largest with its nodes in service.
 * @param nodes of all partitions; null where they are not told
 * @param forbidden why it takes none of our jobs, null if it does
 */
export function asQueue(
  partition: SlurmPartition,
  nodes: readonly SlurmNodes[] | null,
  forbidden: ForbiddenPartition | null,
): QueueFacts {
  const own = nodes && nodesOf(partition, nodes);
  return {
    name: partition.name,
    isDefault: partition.isDefault,
    maxProcessors: largestJob(partition, own ?? [averageNodes(partition)]),
    maxWalltimeSeconds: partition.maxSeconds,
    processors: own && processorsOf(partition, own),
    usableProcessors: own && largestJob(partition, own.filter(isInService)),
    ...barOf(partition, forbidden),
  };
}

function barOf(
  { isUp, state }: SlurmPartition,
  forbidden: ForbiddenPartition | null,
): Pick<QueueFacts, 'bar' | 'unusableBecause' | 'barredTerm'> {
  if (forbidden !== null) {
    return { bar: 'FORBIDDEN', unusableBecause: forbidden.because, barredTerm: forbidden.term };
  }
  if (!isUp) return { bar: 'DOWN', unusableBecause: `its state is ${state}` };
  return { bar: null, unusableBecause: null };
}
