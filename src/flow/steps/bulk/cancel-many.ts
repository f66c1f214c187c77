import { type BulkCancelRow, noteCancelled, requestCancels } from '../../../store/bulk-cancels.ts';
import { assertTurn, type Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import { commitStep, type Next } from '../../turn.ts';

/** Carries out one piece of a wish to cancel many jobs. What was asked for is not asked for again. */
export function cancelManyStep(context: FlowContext, turn: Turn, wish: BulkCancelRow): Promise<Next> {
  const now = context.clock.now();
  const piece = wish.ids.slice(wish.done, wish.done + PIECE);
  const done = wish.done + piece.length;
  const next: Next = done >= wish.ids.length ? { wakeAt: null } : 'AGAIN';
  return commitStep(context, turn, next, async (tx) => {
    await requestCancels(tx, piece, wish.wantedAt, now);
    await assertTurn(tx, turn);
    await noteCancelled(tx, wish, done, now);
  });
}

/** Jobs that are asked for in one transaction. */
const PIECE = 500;
