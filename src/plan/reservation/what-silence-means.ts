import type { EpochSeconds } from '../../domain/clock.ts';
import { isGateShut, whatGivingUpMeans } from './gate.ts';
import { heldAgain, workBeginsAt } from './held-again.ts';
import { type Moves, noMoves } from './moves.ts';
import type { ExecutionFacts, TrackedJob } from './promised-job.ts';

/** A look at a site that shows nothing of a job. */
export interface Silence {
  readonly observedAt: EpochSeconds;
  readonly now: EpochSeconds;
  /** For how long silence is no proof: the lag of accounting and more. */
  readonly patienceSeconds: number;
  /** Whether the site would tell of a job that has run; else one that it does not mention may have run unseen. */
  readonly hasAccounting: boolean;
}

/**
 * What follows when neither queue nor accounting mention a job. That is no end: as long as silence proves nothing it is
 * only noted. Null when the site is to be asked for the key of the job, and with that silent too it is lost.
 */
export function whatSilenceMeans(execution: ExecutionFacts, silence: Silence): Moves | null {
  const { now, patienceSeconds } = silence;
  const missingSince = missingSinceOf(execution, silence);
  if (now - missingSince >= patienceSeconds) return null;
  return { ...noMoves(now), execution: { missingSince } };
}

/**
 * What follows when the key is nowhere to be found either: the site has lost the job. One that was lost before it ran
 * is submitted once more under a fresh key; one that was asked back is gone by that. Without accounting nobody knows
 * whether one that waited has run: Slurm forgets a job some minutes after its end, and the site may not have been
 * looked at for longer. It ends, asked back or not.
 */
export function whatLossMeans(tracked: TrackedJob, silence: Silence): Moves {
  const { execution, reservation, leaving, siteName } = tracked;
  const { now, hasAccounting } = silence;
  const missingSince = missingSinceOf(execution, silence);
  const reason = hasAccounting
    ? `${siteName} lost the job: neither queue nor accounting know it`
    : `${siteName} has no accounting and does not mention the job any more: it may have run to its end`;
  if (isGateShut(execution) && execution.cancelRequestedAt === null) {
    return whatGivingUpMeans(tracked, missingSince, now);
  }
  const isOver = reservation !== null && leaving === 'RELEASING' && missingSince >= workBeginsAt(reservation);
  const hasWaited = execution.state === 'QUEUED';
  const isWantedAgain = hasWaited && execution.attempts < MAX_ATTEMPTS_AFTER_LOSS;
  const mayHaveRun = hasWaited && !hasAccounting;
  if (!mayHaveRun && ((leaving && !isOver) || isWantedAgain)) {
    return heldAgain(tracked, { reason, heldUntil: missingSince, now });
  }
  return { ...noMoves(now, { at: now }), execution: { state: 'ENDED', outcome: 'LOST', endedAt: now, reason } };
}

function missingSinceOf({ missingSince }: ExecutionFacts, { observedAt }: Silence): EpochSeconds {
  return missingSince ?? observedAt;
}

const MAX_ATTEMPTS_AFTER_LOSS = 2;
