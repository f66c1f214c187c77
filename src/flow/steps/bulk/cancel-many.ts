import { type BulkCancelRow, cancelAll, countDueCancels, noteCancelled } from '../../../store/bulk-cancels.ts';
import { assertTurn, type Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import { commitStep, type Next } from '../../turn.ts';

/**
 * Carries out one piece of a wish to cancel many jobs, and lets others have their turns before the next one. What was
 * never handed in ends at once, all of it together. The rest has turns of its own, and the next piece waits until few
 * of the tenant are left, so that they do not stand in the queue before everybody else's. What was asked for is not
 * asked for again.
 */
export async function cancelManyStep(context: FlowContext, turn: Turn, wish: BulkCancelRow): Promise<Next> {
  const now = context.clock.now();
  if ((await countDueCancels(context.database.db, wish.tenantId, now)) > MOST_DUE) {
    return commitStep(context, turn, { wakeAt: now + pauseSeconds(context) }, (tx) => assertTurn(tx, turn));
  }
  const piece = wish.ids.slice(wish.done, wish.done + PIECE);
  const done = wish.done + piece.length;
  const next: Next = { wakeAt: done >= wish.ids.length ? null : now };
  return commitStep(context, turn, next, async (tx) => {
    await cancelAll(tx, piece, wish.wantedAt, now);
    await assertTurn(tx, turn);
    await noteCancelled(tx, wish, done, now);
  });
}

/** So long the tenant's cancellations are given, half a second of wall time. */
function pauseSeconds({ settings }: FlowContext): number {
  return Math.max(0.5, settings.overdueSeconds / 4);
}

/** Jobs that are asked for in one transaction. */
const PIECE = 500;
/** Of a tenant, that may still wait for their turns before the next piece. */
const MOST_DUE = 100;
