import type { EpochSeconds } from '../../domain/clock.ts';
import type { ExecutionChange } from '../../domain/execution.ts';
import type { ReservationState } from '../../domain/reservation.ts';
import type { SubmissionState } from '../../domain/submission.ts';

/**
 * When an execution is looked after next: at once, when it was to be before, or at a moment; at none, when that is for
 * others to say.
 */
export type NextLook = 'AT_ONCE' | 'AS_BEFORE' | { readonly at: EpochSeconds | null };

/**
 * What follows for an execution and its promise from what is known at one moment. Whoever writes it down writes all of
 * it or nothing.
 */
export interface Moves {
  /** When it was decided. */
  readonly decidedAt: EpochSeconds;
  readonly execution: ExecutionChange;
  /** The states that the promise goes through, the last of which it stays in; none when it stays where it is. */
  readonly reservation: readonly ReservationState[];
  /** What the newest attempt becomes; null when it stays what it is. */
  readonly attempt: Extract<
    SubmissionState,
    'WITHDRAWING' | 'WITHDRAWN' | 'REJECTED' | 'RELEASING' | 'RELEASED' | 'ACCEPTED'
  > | null;
  /** Booked as padding, for processors that were held early and are given back. */
  readonly releasedProcessorSeconds: number;
  /** Why the job is not wanted any more; null while it is. */
  readonly cancelBecause: string | null;
  /** Whether the co-allocation that it is a leg of has to look at its legs. */
  readonly tellsGroup: boolean;
  readonly next: NextLook;
}

/** Nothing changes; to be filled in with what does. */
export function noMoves(decidedAt: EpochSeconds, next: NextLook = 'AS_BEFORE'): Moves {
  return {
    decidedAt,
    execution: {},
    reservation: [],
    attempt: null,
    releasedProcessorSeconds: 0,
    cancelBecause: null,
    tellsGroup: false,
    next,
  };
}
