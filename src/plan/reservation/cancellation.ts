import type { EpochSeconds } from '../../domain/clock.ts';
import type { ReservationState } from '../../domain/reservation.ts';
import { type Moves, noMoves } from './moves.ts';
import type { ExecutionFacts, PromiseFacts } from './promised-job.ts';

/** What follows from a wish to cancel an execution that was never handed to a site, or is not at one any more. */
export function whatCancellationMeans(
  execution: ExecutionFacts,
  reservation: PromiseFacts | null,
  now: EpochSeconds,
): Moves {
  const reason = execution.cancelReason ?? 'cancelled';
  return {
    ...noMoves(now, 'AT_ONCE'),
    execution: { state: 'ENDED', outcome: 'CANCELLED', reason, endedAt: now },
    reservation: cancelledFrom(['PROMISED', 'SUBMITTED'], reservation),
  };
}

/**
 * What follows when a site was asked to cancel a job. The promise is given up; the job is looked at again until its
 * site says that it has ended.
 */
export function whatAskingToCancelMeans(
  reservation: PromiseFacts | null,
  { now, lookAgainSeconds }: { readonly now: EpochSeconds; readonly lookAgainSeconds: number },
): Moves {
  return {
    ...noMoves(now, { at: now + lookAgainSeconds }),
    reservation: cancelledFrom(['SUBMITTED', 'HOLDING'], reservation),
  };
}

function cancelledFrom(states: readonly ReservationState[], reservation: PromiseFacts | null): ReservationState[] {
  return reservation && states.includes(reservation.state) ? ['CANCELLED'] : [];
}
