import type { EpochSeconds } from '../../domain/clock.ts';
import type { ExecutionOutcome, ExecutionState } from '../../domain/execution.ts';
import type { ReservationMode, ReservationState } from '../../domain/reservation.ts';

/** What is known of an execution, as far as what follows for it depends on it. Moments in epoch seconds. */
export interface ExecutionFacts {
  readonly state: ExecutionState;
  readonly outcome: ExecutionOutcome | null;
  readonly reason: string | null;
  readonly processors: number;
  /** What its site bills for each second of it, in processors; as many as it asks for where that is null or absent. */
  readonly billedProcessors?: number | null;
  /** How often it was handed to a site. */
  readonly attempts: number;
  /** When it is to be submitted by the plan so far. */
  readonly submitAt: EpochSeconds | null;
  /** When its site took the job that it has there; null when it has none. */
  readonly nativeSubmittedAt: EpochSeconds | null;
  readonly startedAt: EpochSeconds | null;
  readonly endedAt: EpochSeconds | null;
  /** For how long runs that the site took back held processors. */
  readonly earlierRunSeconds: number;
  readonly deadlineAt: EpochSeconds | null;
  /** Its deadline, once that has passed before its end; null or absent while it may be met. */
  readonly deadlineMissedAt?: EpochSeconds | null;
  /** What was promised of its finish; null or absent for nothing. */
  readonly promisedFinishProbability?: number | null;
  /** What becomes of it when it has not finished as promised. */
  readonly ifDeadlineMissed?: 'CANCEL' | 'RUN_LATE' | null;
  /** How often it was moved for its deadline. */
  readonly finishMoves?: number;
  /** Since when neither queue nor accounting mention its job; null while they do. */
  readonly missingSince: EpochSeconds | null;
  /** Since when its site says that it never starts its job; null or absent while it does not. */
  readonly neverStartsSince?: EpochSeconds | null;
  /** Since when its sites are to be asked for later attempts than are on record; null or absent for never. */
  readonly soughtSince?: EpochSeconds | null;
  readonly cancelRequestedAt: EpochSeconds | null;
  readonly cancelReason: string | null;
  /** When it was booked after its end; null before. */
  readonly settledAt: EpochSeconds | null;
  /** Whether it still waits for jobs that it comes after. */
  readonly awaits: boolean;
  /** How long after its start its job waits to be told to begin; null where it begins by itself. */
  readonly gateSeconds: number | null;
  /** When it was first told so; null before. */
  readonly gateOpenedAt: EpochSeconds | null;
}

/** Of a job that its site has just taken in, or has started. */
export const NOTHING_STOPS_IT = { neverStartsSince: null, limitedAloneSince: null } as const;

/** Whether a job waits at a site that says that it never starts it. */
export function isNeverStarted({
  state,
  neverStartsSince = null,
}: Pick<ExecutionFacts, 'state'> & Partial<ExecutionFacts>): boolean {
  return state === 'QUEUED' && neverStartsSince !== null;
}

/** What is known of a promise, as far as what follows for it depends on it. */
export interface PromiseFacts {
  readonly state: ReservationState;
  readonly mode: ReservationMode;
  readonly startAt: EpochSeconds;
  /** With mode `WINDOW`, the earliest moment at which the work may begin; null otherwise. */
  readonly windowOpensAt: EpochSeconds | null;
  /** Whether a job that has not started in time runs late or is cancelled. */
  readonly ifMissed: 'CANCEL' | 'RUN_LATE';
  /** What certainty is worth to it, see `holdPriceSeconds`; null for a leg of a co-allocation. */
  readonly holdPriceSeconds: number | null;
  /** Null for a promise that is nobody's leg. */
  readonly coAllocationId: string | null;
  /** Held early and given back so far. */
  readonly releasedProcessorSeconds: number;
}

/**
 * How the newest attempt is on its way back from its site: it is to be withdrawn from the queue, or to give up the
 * processors that it holds too early.
 */
export type Leaving = 'WITHDRAWING' | 'RELEASING';

/** A job that may be somewhere at a site, and the promise it is to keep, if any. */
export interface TrackedJob {
  readonly execution: ExecutionFacts;
  readonly reservation: PromiseFacts | null;
  /** Null while nobody has asked for it back. */
  readonly leaving: Leaving | null;
  /** Name of the site, for the reasons. */
  readonly siteName: string;
}
