import { EXECUTION_MOVES } from '../../domain/execution.ts';
import { RESERVATION_MOVES } from '../../domain/reservation.ts';
import { assertMove } from '../../domain/state-machine.ts';
import type { Moves } from './moves.ts';
import type { ExecutionFacts, Leaving, PromiseFacts } from './promised-job.ts';

/** A promise and the execution that is to keep it, of whoever keeps them in memory. */
export interface KeptPromise {
  readonly execution: ExecutionFacts;
  readonly reservation: PromiseFacts;
  readonly leaving: Leaving | null;
}

/** A promise as it is after some moves, which must be legal. */
export function applyMoves({ execution, reservation, leaving }: KeptPromise, moves: Moves): KeptPromise {
  const { state = execution.state } = moves.execution;
  if (state !== execution.state) assertMove('the execution', EXECUTION_MOVES, execution.state, state);
  const asked = moves.cancelBecause !== null && execution.cancelRequestedAt === null;
  const wish = asked ? { cancelRequestedAt: moves.decidedAt, cancelReason: moves.cancelBecause } : {};
  let promise = reservation;
  for (const next of moves.reservation) {
    assertMove('the promise', RESERVATION_MOVES, promise.state, next);
    promise = { ...promise, state: next };
  }
  const releasedProcessorSeconds = promise.releasedProcessorSeconds + moves.releasedProcessorSeconds;
  return {
    execution: { ...execution, ...moves.execution, ...wish },
    reservation: { ...promise, releasedProcessorSeconds },
    leaving: moves.attempt === null ? leaving : leavingAfter(moves.attempt),
  };
}

function leavingAfter(attempt: NonNullable<Moves['attempt']>): Leaving | null {
  return attempt === 'WITHDRAWING' || attempt === 'RELEASING' ? attempt : null;
}
