import type { EpochSeconds } from '../../domain/clock.ts';
import type { ExecutionState } from '../../domain/execution.ts';
import type { RecordedFault, StageDirection, StagedFileState, StagingState } from '../../domain/staging.ts';
import { isSought } from '../reservation/sought.ts';

/** Of a file that is moved, what its next move depends on. */
export interface FileFacts {
  readonly direction: StageDirection;
  readonly state: StagedFileState;
  readonly fault: string | null;
}

/** The same of the folder of one try of a job at one site. */
export interface StagingFacts<File extends FileFacts = FileFacts> {
  readonly siteId: string;
  /** Tries of the job that had failed when it was begun. */
  readonly failedTries: number;
  readonly state: StagingState;
  /** Null until it was made. */
  readonly folder: string | null;
  readonly keepsFolder: boolean;
  readonly deadlineAt: EpochSeconds;
  readonly fault: string | null;
  /** Those that go in before those that come out, each in the order in which they are moved. */
  readonly files: readonly File[];
}

/** The same of the job. */
export interface StagedJob {
  readonly state: ExecutionState;
  readonly siteId: string | null;
  readonly failedTries: number;
  readonly cancelRequestedAt: EpochSeconds | null;
  readonly nativeId: string | null;
  readonly startedAt: EpochSeconds | null;
  /** Since when it is sought at its sites, where it may run already; null or absent for never. */
  readonly soughtSince?: EpochSeconds | null;
}

/**
 * What is done next. `MAKE` the folder, `MOVE` one file, `REMOVE` the folder; `WAIT` for the job. `PASS` into another
 * state: what is still to be moved by then is `SKIPPED`, or has failed by the fault that is named.
 */
export type StagingMove<File extends FileFacts = FileFacts> =
  | { readonly kind: 'MAKE' | 'REMOVE' | 'WAIT' }
  | { readonly kind: 'MOVE'; readonly file: File }
  | { readonly kind: 'PASS'; readonly to: StagingState; readonly fault: RecordedFault | null };

/** What is done next about the files of a job, from what is on record of them and of it. */
export function nextMove<File extends FileFacts>(
  staging: StagingFacts<File>,
  job: StagedJob,
  now: EpochSeconds,
): StagingMove<File> {
  switch (staging.state) {
    case 'FILLING':
      return whileFilling(staging, job, now);
    case 'READY':
      return whileReady(staging, job);
    case 'EMPTYING':
      return whileEmptying(staging, now);
    case 'KEPT':
      return now >= staging.deadlineAt ? pass('CLEARING') : { kind: 'WAIT' };
    case 'CLEARING':
      if (staging.folder === null) return pass('ENDED');
      return now >= staging.deadlineAt ? pass('ENDED', 'SITE_FAULT') : { kind: 'REMOVE' };
    case 'ENDED':
      return { kind: 'WAIT' };
  }
}

function whileFilling<File extends FileFacts>(
  staging: StagingFacts<File>,
  job: StagedJob,
  now: EpochSeconds,
): StagingMove<File> {
  const into = staging.files.filter(({ direction }) => direction === 'IN');
  if (isSought(job) && (job.state === 'REQUESTED' || job.state === 'HELD')) return { kind: 'WAIT' };
  // Only a restored database has a job at its site before its files: they are there.
  if (isHandedIn(staging, job)) return pass('READY');
  if (!isWanted(staging, job)) return pass('CLEARING');
  const failed = into.find(({ state }) => state === 'FAILED');
  if (failed) return pass('CLEARING', failed.fault as RecordedFault);
  if (now >= staging.deadlineAt) return pass('CLEARING', 'TOO_LATE');
  if (staging.folder === null) return { kind: 'MAKE' };
  const file = into.find(isToBeMoved);
  return file ? { kind: 'MOVE', file } : pass('READY');
}

function whileReady<File extends FileFacts>(staging: StagingFacts<File>, job: StagedJob): StagingMove<File> {
  if (job.state !== 'ENDED') return isWanted(staging, job) ? { kind: 'WAIT' } : pass('CLEARING');
  if (!hasRunHere(staging, job)) return pass('CLEARING');
  if (staging.files.some((file) => file.direction === 'OUT' && isToBeMoved(file))) return pass('EMPTYING');
  return pass(staging.keepsFolder ? 'KEPT' : 'CLEARING');
}

/** What the job has written and could not be moved is kept: it may be all that is left of its work. */
function whileEmptying<File extends FileFacts>(staging: StagingFacts<File>, now: EpochSeconds): StagingMove<File> {
  const out = staging.files.filter(({ direction }) => direction === 'OUT');
  const file = out.find(isToBeMoved);
  if (file) return now >= staging.deadlineAt ? pass('KEPT', 'TOO_LATE') : { kind: 'MOVE', file };
  const isLeft = out.some(({ state, fault }) => state === 'FAILED' && fault !== 'NOT_FOUND');
  return pass(staging.keepsFolder || isLeft ? 'KEPT' : 'CLEARING');
}

function pass(
  to: StagingState,
  fault: RecordedFault | null = null,
): { kind: 'PASS'; to: StagingState; fault: RecordedFault | null } {
  return { kind: 'PASS', to, fault };
}

function isToBeMoved({ state }: FileFacts): boolean {
  return state === 'WAITING' || state === 'MOVING';
}

/** Whether a job is still to run, or runs, where its files are moved to. */
function isWanted(staging: StagingFacts, job: StagedJob): boolean {
  if (!isOfThisTry(staging, job) || job.state === 'REQUESTED' || job.state === 'ENDED') return false;
  return job.state !== 'HELD' || job.cancelRequestedAt === null;
}

function hasRunHere(staging: StagingFacts, job: StagedJob): boolean {
  return isOfThisTry(staging, job) && job.nativeId !== null && job.startedAt !== null;
}

/** Whether its site has been given the job, or is being given it. */
function isHandedIn(staging: StagingFacts, job: StagedJob): boolean {
  const isAtSite = job.state === 'SUBMITTING' || job.state === 'QUEUED' || job.state === 'RUNNING';
  return (isAtSite && isOfThisTry(staging, job)) || hasRunHere(staging, job);
}

function isOfThisTry({ siteId, failedTries }: StagingFacts, job: StagedJob): boolean {
  return job.siteId === siteId && job.failedTries === failedTries;
}

/**
 * What a job waits for before it is handed in: `BEGIN` to move its files there, `WAIT` until they are, nothing more
 * (`READY`), or nothing at all because one of them cannot be moved.
 */
export type Readiness = 'BEGIN' | 'WAIT' | 'READY' | { readonly fault: RecordedFault };

/** How ready a site is for a job of which files are moved. `staging` is its newest. */
export function readinessOf(staging: StagingFacts | null, job: StagedJob): Readiness {
  if (!staging || !isOfThisTry(staging, job)) return 'BEGIN';
  switch (staging.state) {
    case 'FILLING':
      return 'WAIT';
    case 'READY':
      return 'READY';
    default:
      return staging.fault === null ? 'BEGIN' : { fault: staging.fault as RecordedFault };
  }
}
