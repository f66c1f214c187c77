import { wakeRow } from '../../../store/outbox.ts';
import { assertTurn } from '../../../store/turns.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { commitStep, type Next } from '../../turn.ts';

/** A task of an array is not planned by itself: it waits in its group, which lets it go again with others. */
export function returnTaskStep({ context, turn, execution }: ExecutionInHand, groupId: string): Promise<Next> {
  const { requestId } = execution;
  return commitStep(context, turn, { wakeAt: null }, async (tx) => {
    await assertTurn(tx, turn);
    await wakeRow(tx, 'JobGroup', groupId, context.clock.now(), requestId);
  });
}
