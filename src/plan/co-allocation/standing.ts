import type { LegStanding } from '../../domain/co-allocation.ts';
import { CANCELLED_BY_CALLER } from '../../domain/execution.ts';
import type { ExecutionFacts, PromiseFacts } from '../reservation/promised-job.ts';

/** A leg of a co-allocation: the promise, and the execution that is to keep it. */
export interface LegFacts {
  readonly legId: string;
  readonly execution: Pick<ExecutionFacts, 'state' | 'startedAt' | 'cancelRequestedAt' | 'cancelReason'>;
  readonly reservation: Pick<PromiseFacts, 'state'>;
}

/** How a leg stands for the rule. One that its caller cancelled is given up for ever: nobody replaces it. */
export function standingOf({ legId, reservation, execution }: LegFacts): LegStanding {
  const { state } = reservation;
  const is = (standing: LegStanding['state']): LegStanding => {
    return { legId, state: standing, heldSinceAt: standing === 'HOLDING' ? execution.startedAt : null };
  };
  if (state === 'KEPT') return is('HOLDING');
  if (execution.cancelReason === CANCELLED_BY_CALLER) return is('GIVEN_UP');
  if (execution.cancelRequestedAt !== null && execution.state !== 'ENDED') return is('GIVEN_UP');
  if (state === 'MISSED' || state === 'CANCELLED') return is('FAILED');
  return is(state === 'HOLDING' ? 'HOLDING' : 'WAITING');
}
