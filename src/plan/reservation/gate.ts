import type { EpochSeconds } from '../../domain/clock.ts';
import { heldAgain } from './held-again.ts';
import { type Moves, noMoves } from './moves.ts';
import type { ExecutionFacts, TrackedJob } from './promised-job.ts';

type Gate = Pick<ExecutionFacts, 'gateSeconds' | 'gateOpenedAt'>;

/** Whether a job at a site waits to be told to begin, so that nothing of its own work is done. */
export function isGateShut({ gateSeconds, gateOpenedAt }: Gate): boolean {
  return gateSeconds !== null && gateOpenedAt === null;
}

/** For how long a job held its processors at its gate before its own work. */
export function gateHeldSeconds({
  startedAt,
  gateOpenedAt,
}: Gate & { readonly startedAt: EpochSeconds | null }): number {
  return startedAt === null || gateOpenedAt === null ? 0 : Math.max(0, gateOpenedAt - startedAt);
}

/** When the own work of a job began; null until it has. */
export function workBeganAt(job: Gate & { readonly startedAt: EpochSeconds | null }): EpochSeconds | null {
  if (job.startedAt === null || isGateShut(job)) return null;
  return job.startedAt + gateHeldSeconds(job);
}

/**
 * What is written before a job is told to begin: from then on its own work may be under way.
 * @param readyAt when the last of those that it comes after had ended
 */
export function whatOpeningMeans({ gateOpenedAt }: Gate, readyAt: EpochSeconds, now: EpochSeconds): Moves {
  if (gateOpenedAt !== null) return noMoves(now, 'AT_ONCE');
  return { ...noMoves(now, 'AT_ONCE'), execution: { gateOpenedAt: now, readyAt, reason: null } };
}

/**
 * What follows when a job has left its site that was never told to begin: none of its work is done, and it is wanted
 * again. What it held its processors for is lost.
 */
export function whatGivingUpMeans(tracked: TrackedJob, endedAt: EpochSeconds, now: EpochSeconds): Moves {
  const { execution, siteName } = tracked;
  const reason = `it waited in vain at ${siteName} for those that it comes after`;
  const again = heldAgain({ ...tracked, leaving: null }, { reason, heldUntil: endedAt, now });
  const heldSeconds = execution.startedAt === null ? 0 : Math.max(0, endedAt - execution.startedAt);
  const earlierRunSeconds = execution.earlierRunSeconds + heldSeconds;
  return { ...again, attempt: 'RELEASED', execution: { ...again.execution, gateSeconds: null, earlierRunSeconds } };
}
