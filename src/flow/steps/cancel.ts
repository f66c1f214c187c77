import { invariant, SiteFailure } from '../../domain/failures.ts';
import { submissionKey } from '../../domain/submission.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { moveReservationFrom, resolveDoubtStep, siteOf } from './submit.ts';

/**
 * Carries out a wish to cancel. Before submission nothing exists and it ends at once; a submission in doubt is settled
 * first; afterwards the site is asked again and again until its accounting says that the job has ended.
 */
export async function cancelStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
): Promise<Next> {
  if (execution.state === 'REQUESTED' || execution.state === 'HELD') {
    return endUnsubmitted(context, turn, execution, reservation);
  }
  if (execution.state === 'SUBMITTING') return resolveDoubtStep(context, turn, execution, reservation);
  return cancelAtSite(context, turn, execution, reservation);
}

async function endUnsubmitted(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
): Promise<Next> {
  const now = context.clock.now();
  const reason = execution.cancelReason ?? 'cancelled';
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'CANCELLED', reason, endedAt: now }, now);
    await moveReservationFrom(tx, reservation, ['PROMISED', 'SUBMITTED'], 'CANCELLED', now);
  });
}

async function cancelAtSite(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
): Promise<Next> {
  const { nativeId, nativeSubmittedAt } = execution;
  invariant(nativeId !== null && nativeSubmittedAt !== null, `execution ${execution.id} is queued without a native id`);
  const adapter = context.adapterOf(await siteOf(context, execution));
  try {
    const key = submissionKey(execution.id, execution.attempts);
    await adapter.cancel({ nativeId, submittedAt: nativeSubmittedAt, key });
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    const { id: executionId, requestId } = execution;
    context.logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not cancelled yet');
  }
  const now = context.clock.now();
  return commitStep(context, turn, { wakeAt: now + 2 * context.settings.observeIntervalSeconds }, async (tx) => {
    await assertTurn(tx, turn);
    await moveReservationFrom(tx, reservation, ['SUBMITTED', 'HOLDING'], 'CANCELLED', now);
  });
}
