import type { EpochSeconds } from '../../../domain/clock.ts';
import { type BulkCancelRow, cancelAll, countDueCancels, noteCancelled } from '../../../store/bulk-cancels.ts';
import { assertTurn, type Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import { commitStep, type Next } from '../../turn.ts';

/**
 * Carries out one piece of a wish to cancel many jobs; after some of them others have their turns. What was never
 * handed in ends at once, all of it together. The rest has turns of its own, and the next piece waits while many
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
  const next = whatNext(done, wish.ids.length, now);
  return commitStep(context, turn, next, async (tx) => {
    await cancelAll(tx, piece, wish.wantedAt, now);
    await assertTurn(tx, turn);
    await noteCancelled(tx, wish, done, now);
  });
}

function whatNext(done: number, size: number, now: EpochSeconds): Next {
  if (done >= size) return { wakeAt: null };
  return done % PER_TURN === 0 ? { wakeAt: now } : 'AGAIN';
}

/** So long the tenant's cancellations are given, half a second of wall time. */
function pauseSeconds({ settings }: FlowContext): number {
  return Math.max(0.5, settings.overdueSeconds / 4);
}

/** Jobs that are asked for in one transaction. */
const PIECE = 500;
/** Jobs of one turn, some seconds' work. */
const PER_TURN = 10 * PIECE;
/** Of a tenant, that may still wait for their turns before the next piece. */
const MOST_DUE = 500;
