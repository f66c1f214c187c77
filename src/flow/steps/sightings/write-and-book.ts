import type { Moves } from '../../../plan/reservation/life.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { logFault } from '../../../store/log-fault.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { runStep } from '../../run-step.ts';
import { endTurn } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { settleStep } from '../settle.ts';

/** Writes down what follows. A job without a promise that is over is booked in the same turn. */
export async function writeAndBook(inHand: ExecutionInHand, moves: Moves): Promise<void> {
  const isOver = moves.execution.state === 'ENDED' && inHand.reservation === null;
  await writeMoves(inHand, isOver ? { ...moves, next: 'AT_ONCE' } : moves);
  if (!isOver) return;
  const { context, turn, execution } = inHand;
  const ended = { ...inHand, execution: { ...execution, ...moves.execution } as ExecutionRow };
  const { id: targetId, requestId } = execution;
  try {
    await runStep(context, { targetId }, { name: 'settle', run: () => settleStep(ended) });
  } catch (error) {
    logFault(context.logger, error, 'settle', { kind: 'EXECUTION', targetId, wakeAt: moves.decidedAt, requestId });
    await context.database.transaction((tx) => endTurn(tx, turn, moves.decidedAt));
  }
}
