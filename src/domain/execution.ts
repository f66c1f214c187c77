import type { EpochSeconds } from './clock.ts';
import { JOB_OUTCOMES } from './job.ts';
import type { JobResources } from './resources.ts';
import type { LegalMoves } from './state-machine.ts';

/**
 * The durable life of one request.
 *
 * `REQUESTED` it is written down and nobody has planned it yet. `HELD` its site, size and submission time are chosen
 * and that time has not come; or it waits for jobs that it comes after, to be planned then. `SUBMITTING` the intent to
 * submit is on record; from here on a native job may exist. `QUEUED` the site accepted it. `RUNNING` it holds
 * processors. `ENDED` nothing of it can hold processors any more, or nobody can be asked, and it has a reason.
 *
 * A submission that the site lost, or refused for now, goes back to `HELD`; one that it refused for good to
 * `REQUESTED`, to be planned on other sites. `QUEUED` may skip `RUNNING` because a short job starts and ends between
 * two observations. `RUNNING` may go back to `QUEUED` because sites requeue jobs, and to `HELD` when a reservation
 * gives back the processors that it holds too early. Either goes back to `REQUESTED` when its native job has ended and
 * its caller's policy has it run again. `REQUESTED` goes to `SUBMITTING` where a restored database has forgotten what
 * came between.
 */
export const EXECUTION_STATES = ['REQUESTED', 'HELD', 'SUBMITTING', 'QUEUED', 'RUNNING', 'ENDED'] as const;
export type ExecutionState = (typeof EXECUTION_STATES)[number];

export const EXECUTION_MOVES: LegalMoves<ExecutionState> = {
  REQUESTED: ['HELD', 'SUBMITTING', 'ENDED'],
  HELD: ['SUBMITTING', 'REQUESTED', 'ENDED'],
  SUBMITTING: ['REQUESTED', 'QUEUED', 'RUNNING', 'HELD', 'ENDED'],
  QUEUED: ['RUNNING', 'HELD', 'REQUESTED', 'ENDED'],
  RUNNING: ['QUEUED', 'HELD', 'REQUESTED', 'ENDED'],
  ENDED: [],
};

/** How an execution ended: as its native job did, or without one. */
export const EXECUTION_OUTCOMES = [
  ...JOB_OUTCOMES,
  /** No site takes the request. */
  'REJECTED',
  /** Queue and accounting agree that they do not know the job any more, or its site was removed without an answer. */
  'LOST',
  /** A file that it needs could not be moved to its site; nothing was submitted. */
  'STAGING_FAILED',
] as const;
export type ExecutionOutcome = (typeof EXECUTION_OUTCOMES)[number];

/** Why an execution was asked to be cancelled when its caller did not want it any more. */
export const CANCELLED_BY_CALLER = 'cancelled by its caller';

/** The facts of an execution that a step may write; moments in epoch seconds. */
export interface ExecutionChange {
  readonly state?: ExecutionState;
  readonly outcome?: ExecutionOutcome | null;
  readonly reason?: string | null;
  readonly siteId?: string | null;
  readonly siteQueue?: string | null;
  readonly submitAt?: EpochSeconds | null;
  /** Since when it is held back for a better moment, and behind which execution. */
  readonly heldBackSince?: EpochSeconds | null;
  readonly heldBackBehindId?: string | null;
  /** Of a job that may run at several sizes. */
  readonly processors?: number;
  /** Of such a job, and of an automatic walltime. */
  readonly walltimeSeconds?: number;
  readonly walltimePredictor?: string | null;
  readonly billedProcessors?: number;
  /** Of an automatic walltime that is stated from now on. */
  readonly walltimeRisk?: null;
  readonly statedWalltimeSeconds?: number;
  /** Of a job that is run again. */
  readonly resources?: JobResources;
  readonly failedTries?: number;
  readonly submittedWalltimeSeconds?: number | null;
  readonly nativeId?: string | null;
  readonly nativeSubmittedAt?: EpochSeconds | null;
  readonly startedAt?: EpochSeconds | null;
  readonly endedAt?: EpochSeconds | null;
  readonly exitCode?: number | null;
  readonly earlierRunSeconds?: number;
  readonly deadlineMissedAt?: EpochSeconds | null;
  readonly currentFinishProbability?: number | null;
  readonly finishMoves?: number;
  readonly finishKept?: boolean | null;
  readonly missingSince?: EpochSeconds | null;
  readonly neverStartsSince?: EpochSeconds | null;
  readonly limitedAloneSince?: EpochSeconds | null;
  readonly soughtSince?: EpochSeconds | null;
  readonly settledAt?: EpochSeconds | null;
  readonly awaits?: boolean;
  readonly readyAt?: EpochSeconds | null;
  readonly gateSeconds?: number | null;
  readonly gateOpenedAt?: EpochSeconds | null;
  readonly expectedGapSeconds?: number | null;
  readonly attempts?: number;
}
