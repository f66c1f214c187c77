import { changeExecution, type ExecutionChange, type ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import type { Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { moveReservationFrom } from './submit.ts';

/**
 * The time of a promise came before its submission. It is missed; a job that may run late goes on as one that nothing
 * was promised of.
 */
export function missUnsubmitted(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const late = 'the reserved time came before the site accepted the job';
  const reason = execution.attempts > 0 && execution.reason ? `${late}: ${execution.reason}` : late;
  if (reservation.ifMissed === 'RUN_LATE') return miss(context, turn, execution, reservation, { reason });
  return miss(context, turn, execution, reservation, { ...rejected(context), reason });
}

/** A promise whose job no site takes, now or later. */
export function missForGood(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const reason = `no other site takes it: ${execution.reason}`;
  return miss(context, turn, execution, reservation, { ...rejected(context), reason });
}

function rejected({ clock }: FlowContext): ExecutionChange {
  return { state: 'ENDED', outcome: 'REJECTED', endedAt: clock.now() };
}

function miss(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
  change: ExecutionChange,
): Promise<Next> {
  const now = context.clock.now();
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeExecution(tx, turn, execution, change, now);
    await moveReservationFrom(tx, reservation, ['PROMISED'], 'MISSED', now);
  });
}
