import type { EpochSeconds } from '../../domain/clock.ts';
import type { ExecutionChange } from '../../domain/execution.ts';
import type { NativeRef } from '../../domain/site-adapter.ts';
import { type Moves, noMoves } from './moves.ts';
import { type ExecutionFacts, NOTHING_STOPS_IT, type PromiseFacts } from './promised-job.ts';

type PromisedJob = { readonly execution: ExecutionFacts; readonly reservation: PromiseFacts | null };

/** What is written before a job is handed to its site: from then on it may be there. */
export function whatIntentMeans(
  { attempts }: ExecutionFacts,
  walltimeSeconds: number,
  billedProcessors: number,
  now: EpochSeconds,
): Moves {
  const submitted = { submittedWalltimeSeconds: walltimeSeconds, billedProcessors };
  const execution = { state: 'SUBMITTING', attempts: attempts + 1, ...submitted } as const;
  return { ...noMoves(now, 'AT_ONCE'), execution };
}

/**
 * What follows when a site has accepted a job: nothing more is due before its moment, unless it is to be looked after.
 * @param isUnsettled whether it is to be cancelled or moved at once
 * @param reason why it is where it is, beside being accepted
 */
export function whatAcceptanceMeans(
  { reservation }: PromisedJob,
  { nativeId, submittedAt }: NativeRef,
  { reason, isUnsettled, now }: { reason: string | null; isUnsettled: boolean; now: EpochSeconds },
): Moves {
  return {
    ...noMoves(now, isUnsettled ? 'AT_ONCE' : { at: reservation?.startAt ?? null }),
    execution: { state: 'QUEUED', nativeId, nativeSubmittedAt: submittedAt, reason, ...MENTIONED },
    reservation: reservation?.state === 'PROMISED' ? ['SUBMITTED'] : [],
  };
}

const MENTIONED = { missingSince: null, ...NOTHING_STOPS_IT } as const;

/**
 * What follows when a site refuses a job for good. A promise that is nobody's leg looks for another site; a leg has
 * missed, and what is done about that is for its group's policy to say; a job is planned anew.
 */
export function whatRefusalMeans({ reservation }: PromisedJob, reason: string, now: EpochSeconds): Moves {
  const isPromise = reservation?.state === 'PROMISED';
  if (isPromise && reservation.coAllocationId !== null) return missed(reservation, { ...rejectedAt(now), reason }, now);
  const back = isPromise ? ({ state: 'HELD', submitAt: now } as const) : UNPLANNED;
  return { ...noMoves(now, 'AT_ONCE'), execution: { ...back, reason, missingSince: null } };
}

/** What follows when nothing of an attempt exists at the site: the next one comes at `submitAt`. */
export function whatAbsenceMeans(reason: string, submitAt: EpochSeconds, now: EpochSeconds): Moves {
  return { ...noMoves(now, { at: submitAt }), execution: { state: 'HELD', submitAt, missingSince: null, reason } };
}

/**
 * What follows when nobody can tell any more whether a site had run an attempt: it ends, for another one could be the
 * second to run.
 */
export function whatUnknownAttemptMeans(reason: string, now: EpochSeconds): Moves {
  const execution = { state: 'ENDED', outcome: 'LOST', endedAt: now, missingSince: null, reason } as const;
  return { ...noMoves(now, 'AT_ONCE'), execution };
}

/**
 * What follows when the time of a promise came before its submission. It is missed; a job that may run late goes on as
 * one that nothing was promised of.
 */
export function whatLateSubmissionMeans(
  { execution, reservation }: { readonly execution: ExecutionFacts; readonly reservation: PromiseFacts },
  now: EpochSeconds,
): Moves {
  const late = 'the reserved time came before the site accepted the job';
  const reason = execution.attempts > 0 && execution.reason ? `${late}: ${execution.reason}` : late;
  return missed(reservation, reservation.ifMissed === 'RUN_LATE' ? { reason } : { ...rejectedAt(now), reason }, now);
}

/** What follows for a promise whose job no site takes, now or later. */
export function whatNoTakerMeans(
  { execution, reservation }: { readonly execution: ExecutionFacts; readonly reservation: PromiseFacts },
  now: EpochSeconds,
): Moves {
  const reason = `no other site takes it: ${execution.reason}`;
  return missed(reservation, { ...rejectedAt(now), reason }, now);
}

function missed({ state }: PromiseFacts, execution: ExecutionChange, now: EpochSeconds): Moves {
  return { ...noMoves(now, 'AT_ONCE'), execution, reservation: state === 'PROMISED' ? ['MISSED'] : [] };
}

function rejectedAt(now: EpochSeconds): ExecutionChange {
  return { state: 'ENDED', outcome: 'REJECTED', endedAt: now };
}

/** An execution that is to be planned anew. */
export const UNPLANNED = {
  state: 'REQUESTED',
  siteId: null,
  siteQueue: null,
  submitAt: null,
  heldBackSince: null,
  heldBackBehindId: null,
} as const;
