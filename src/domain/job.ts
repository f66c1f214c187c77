import { DAY_SECONDS, type EpochSeconds } from './clock.ts';
import type { JobUse } from './job-use.ts';
import type { Program } from './program.ts';
import type { JobResources, MailRequest, SiteTerms } from './resources.ts';

/** How a job ended. They stay apart because only `COMPLETED` teaches real runtimes and only some are worth a retry. */
export const JOB_OUTCOMES = [
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMEOUT',
  'NODE_FAIL',
  'PREEMPTED',
  'OUT_OF_MEMORY',
] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** What a site is asked to run. Nothing in it ever passes through a shell on its way to the batch system. */
export interface JobSpec {
  readonly name: string;
  /** Name of the tenant whose job it is, for the job's comment where a site has one; absent where nobody's. */
  readonly tenant?: string | undefined;
  /** Whole text of the script, with its own interpreter line. */
  readonly script: string;
  readonly arguments: readonly string[];
  readonly processors: number;
  /** The limit after which the site kills the job. */
  readonly walltimeSeconds: number;
  /** Null asks for the site's default queue. */
  readonly queue: string | null;
  /** Absent where nothing but processors is asked for. */
  readonly resources?: JobResources | undefined;
  readonly terms?: SiteTerms | undefined;
  /** Variables of the job's environment by their names. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Where the job starts at its site; absent means where the site starts it. */
  readonly workFolder?: string | undefined;
  readonly mail?: MailRequest | undefined;
  /** Folder of its own for its streams, by its site's adapter; `~/` is the account's home. */
  readonly outputFolder?: string | undefined;
}

/** What a site sees of a job before it runs: the one shape under records, waiting jobs and queries. */
export interface JobRequest {
  readonly user: string | null;
  readonly queue: string | null;
  readonly processors: number;
  /** Null where none is requested, or none is told. */
  readonly requestedWalltimeSeconds: number | null;
  /** Who pays for it; absent where that is not told. */
  readonly account?: string | undefined;
  /** The Unix group; absent where that is not told. */
  readonly group?: string | undefined;
  /** Absent where nothing is known of its text. */
  readonly program?: Program | undefined;
  /** That it asks for, or has been given, over all of its nodes; absent for none, and where that is not told. */
  readonly gpus?: number | undefined;
  /** The same of memory. */
  readonly memoryMebibytes?: number | undefined;
}

/** Of a job only what it requests. */
export function requestOf(job: JobRequest): JobRequest {
  const { user, queue, processors, requestedWalltimeSeconds, account, group, program } = job;
  const request = { user, queue, processors, requestedWalltimeSeconds, ...amountsOf(job) };
  if (account === undefined && group === undefined && program === undefined) return request;
  return { ...request, account, group, program };
}

/** Of what a job asks for beside processors, that which is counted out; nothing where it asks for none. */
export function amountsOf({ gpus, memoryMebibytes }: Pick<JobRequest, 'gpus' | 'memoryMebibytes'>) {
  return { ...(gpus !== undefined && { gpus }), ...(memoryMebibytes !== undefined && { memoryMebibytes }) };
}

/** The walltime a job is planned with: the requested one, a day where there is none. */
export function plannedWalltimeSeconds({
  requestedWalltimeSeconds,
}: Pick<JobRequest, 'requestedWalltimeSeconds'>): number {
  return requestedWalltimeSeconds ?? DAY_SECONDS;
}

/** One job of a site's history, as far as it is known: submitted, perhaps started, perhaps ended. */
export interface JobRecord extends JobRequest {
  readonly nativeId: string;
  readonly submitAt: EpochSeconds;
  readonly startAt: EpochSeconds | null;
  readonly endAt: EpochSeconds | null;
  /** Null until the job has ended. */
  readonly outcome: JobOutcome | null;
  /** Absent where nothing of it is told. */
  readonly use?: JobUse | undefined;
}

/** A record whose wait is known. */
export interface StartedRecord extends JobRecord {
  readonly startAt: EpochSeconds;
}

/** A record of a job that is over. */
export interface EndedRecord extends JobRecord {
  readonly endAt: EpochSeconds;
}

/** A record of a job that ran and is over, whatever its outcome. */
export interface RanRecord extends JobRecord {
  readonly startAt: EpochSeconds;
  readonly endAt: EpochSeconds;
}

/** A request at its submission. */
export interface Submission extends JobRequest {
  readonly submitAt: EpochSeconds;
}

/** A job at its submission, of whose fate nothing is known. */
export interface SubmittedJob extends Submission {
  readonly nativeId: string;
}

/** Seconds a started job waited in the queue; 0 where its site says whole seconds and another clock a fraction. */
export function waitSeconds(record: StartedRecord): number {
  return Math.max(0, record.startAt - record.submitAt);
}

/** Narrows a record to one that is over. */
export function hasEnded(record: JobRecord): record is EndedRecord {
  return record.endAt !== null;
}

/** Narrows a record to one whose wait is known. */
export function hasStarted(record: JobRecord): record is StartedRecord {
  return record.startAt !== null;
}

/** When the last thing that is known of a job happened. */
export function changedAt({ submitAt, startAt, endAt }: JobRecord): EpochSeconds {
  return endAt ?? startAt ?? submitAt;
}

/** What is known of a job at its start: nothing of its end, nor of what it will have used. */
export function asOfStart<Started extends StartedRecord>({ use: _use, ...record }: Started): StartedRecord {
  return { ...record, endAt: null, outcome: null };
}

/** Narrows a record to one whose runtime is known, whatever its outcome. */
export function hasRun(record: JobRecord): record is RanRecord {
  return record.startAt !== null && record.endAt !== null;
}

/** Seconds from the start of a job to its end, never below 0. */
export function ranSeconds({ startAt, endAt }: RanRecord): number {
  return Math.max(0, endAt - startAt);
}

/** Whether a job that is over ended by itself; one whose outcome its log does not tell is taken to have. */
export function hasCompleted({ outcome }: Pick<JobRecord, 'outcome'>): boolean {
  return outcome === null || outcome === 'COMPLETED';
}

/** Whether it was the site that ended a job, so that its runtime says nothing of it. */
export function wasTakenDown({ outcome }: Pick<JobRecord, 'outcome'>): boolean {
  return outcome === 'NODE_FAIL' || outcome === 'PREEMPTED';
}
