import type { EpochSeconds } from '../domain/clock.ts';
import { type Db } from '../store/database.ts';
import { enqueueWakeUps, WAKE_UP_KINDS } from '../store/outbox.ts';
import { type Lease, releaseTurn, type Turn } from '../store/turns.ts';
import type { FlowContext } from './context.ts';

/** The lease of a turn that this process takes. */
export async function leaseOf({ database, settings }: FlowContext): Promise<Lease> {
  return { milliseconds: settings.leaseMilliseconds, holder: await database.presence.id() };
}

/**
 * What a step wants next: another step at once, in the same turn, or to be woken at a moment; null to be woken by
 * others.
 */
export type Next = 'AGAIN' | { readonly wakeAt: EpochSeconds | null };

/**
 * Commits a step: what `write` changes, the end of the turn and the next wake-up, all in one transaction. With `AGAIN`
 * the turn is kept, and the wake-up that is written is the one that brings the row back should this worker die now.
 * @throws StaleTurn when another worker has taken the turn; nothing is written then
 */
export async function commitStep(
  context: FlowContext,
  turn: Turn,
  next: Next,
  write: (tx: Db) => Promise<void>,
): Promise<Next> {
  await context.database.transaction(async (tx) => {
    await write(tx);
    if (next === 'AGAIN') return;
    await endTurn(tx, turn, next.wakeAt);
  });
  return next;
}

/**
 * Gives the turn back and asks for the next one, or for the earlier one that somebody wanted meanwhile, in the caller's
 * transaction.
 */
export async function endTurn(tx: Db, turn: Turn, wakeAt: EpochSeconds | null): Promise<void> {
  const next = await releaseTurn(tx, turn, wakeAt);
  if (next === null) return;
  await enqueueWakeUps(tx, [{ kind: WAKE_UP_KINDS[turn.table], targetId: turn.id, wakeAt: next, requestId: null }]);
}

/** The pause before try number `attempt` (from 1): doubling from `retrySeconds`, an hour at most. */
export function backoffSeconds(retrySeconds: number, attempt: number): number {
  return Math.min(3600, retrySeconds * 2 ** Math.max(0, attempt - 1));
}
