import { submissionKey } from '../domain/submission.ts';
import type { Moves } from '../plan/reservation/life.ts';
import type { Db } from '../store/database.ts';
import { changeAndRelease, changeExecution } from '../store/execution-changes.ts';
import { type ExecutionRow, requestCancel } from '../store/executions.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import { addReleased, moveReservation, type ReservationRow } from '../store/reservations.ts';
import { moveSubmission } from '../store/submissions.ts';
import { assertTurn, type Turn } from '../store/turns.ts';
import type { ExecutionInHand } from './in-hand.ts';
import { wakeGroup } from './legs.ts';
import { endTurn, type Next } from './turn.ts';

/**
 * Writes down what follows for an execution and its promise, ends its turn and asks for the next one, all in one
 * transaction: the one way in which what was decided of a promise gets into the tables.
 * @param also what else belongs to it, in the same transaction, maybe twice, see `sharedTransactions`; it is given the
 * promise as it is then
 * @throws StaleTurn when another worker has taken the turn; nothing is written then
 */
export async function writeMoves(
  { context, turn, execution, reservation }: ExecutionInHand,
  moves: Moves,
  also: (tx: Db, promise: ReservationRow | null) => Promise<void> = async () => undefined,
): Promise<Next> {
  const { decidedAt: now } = moves;
  const next = nextOf(moves, turn);
  const { database } = context;
  // What a promise writes locks its group, and would keep those of others waiting that it shares a transaction with.
  const transaction = reservation === null ? database.sharedTransaction : database.transaction;
  await transaction(async (tx) => {
    if (moves.tellsGroup) await wakeGroup(tx, reservation, now);
    const isReleased = await writeExecution(tx, turn, execution, moves, next);
    if (moves.attempt) await moveSubmission(tx, newestKey(execution), moves.attempt, now);
    const promise = reservation && (await movePromise(tx, reservation, moves));
    if (moves.cancelBecause !== null) await requestCancel(tx, execution.id, moves.cancelBecause, now);
    await also(tx, promise);
    if (next === 'AGAIN') return;
    if (!isReleased) await endTurn(tx, turn, next.wakeAt);
    else if (next.wakeAt !== null) await enqueueWakeUps(tx, [wakeUpOf(execution, next.wakeAt)]);
  });
  return next;
}

/** @returns whether the turn was given back with it */
async function writeExecution(
  tx: Db,
  turn: Turn,
  execution: ExecutionRow,
  { execution: change, decidedAt: now }: Moves,
  next: Next,
): Promise<boolean> {
  if (Object.keys(change).length === 0) {
    await assertTurn(tx, turn);
    return false;
  }
  if (next !== 'AGAIN') return changeAndRelease(tx, turn, execution, change, now, next.wakeAt);
  await changeExecution(tx, turn, execution, change, now);
  return false;
}

function wakeUpOf({ id: targetId }: ExecutionRow, wakeAt: number) {
  return { kind: 'EXECUTION', targetId, wakeAt, requestId: null } as const;
}

async function movePromise(tx: Db, reservation: ReservationRow, moves: Moves): Promise<ReservationRow> {
  if (moves.releasedProcessorSeconds > 0) await addReleased(tx, reservation.id, moves.releasedProcessorSeconds);
  let promise = reservation;
  for (const state of moves.reservation) promise = await moveReservation(tx, promise, state, moves.decidedAt);
  return promise;
}

function nextOf({ next }: Moves, { wakeAt }: Turn): Next {
  if (next === 'AT_ONCE') return 'AGAIN';
  return { wakeAt: next === 'AS_BEFORE' ? wakeAt : next.at };
}

function newestKey({ id, attempts }: ExecutionRow): string {
  return submissionKey(id, attempts);
}
