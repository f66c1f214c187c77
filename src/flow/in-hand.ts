import type { ExecutionRow } from '../store/executions.ts';
import type { ReservationRow } from '../store/reservations.ts';
import type { Turn } from '../store/turns.ts';
import type { FlowContext } from './context.ts';

/** An execution that a worker has in hand: the turn at it, what it is, and the promise that it is to keep, if any. */
export interface ExecutionInHand {
  readonly context: FlowContext;
  readonly turn: Turn;
  readonly execution: ExecutionRow;
  readonly reservation: ReservationRow | null;
}

/** The same of an execution that is to keep a promise. */
export interface PromiseInHand extends ExecutionInHand {
  readonly reservation: ReservationRow;
}
