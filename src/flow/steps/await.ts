import type { ExecutionChange } from '../../domain/execution.ts';
import { whatPredecessorsMean } from '../../plan/job/predecessors.ts';
import { UNPLANNED } from '../../plan/reservation/life.ts';
import { findPredecessors } from '../../store/dependencies.ts';
import { changeExecution } from '../../store/executions.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { commitStep, type Next } from '../turn.ts';

/**
 * Waits for the jobs that an execution comes after; whoever writes the end of one wakes it. Then it is planned, or ends
 * when one of them has not ended as it must.
 */
export async function awaitStep({ context, turn, execution }: ExecutionInHand): Promise<Next> {
  const now = context.clock.now();
  const found = await findPredecessors(context.database.db, [execution.id]);
  const means = whatPredecessorsMean(found.map(({ condition, predecessor }) => ({ ...predecessor, condition })));
  const write = (next: Next, change: ExecutionChange) =>
    commitStep(context, turn, next, (tx) => changeExecution(tx, turn, execution, change, now));
  switch (means.kind) {
    case 'WAIT':
      return write({ wakeAt: null }, { reason: means.reason });
    case 'GO':
      return write('AGAIN', { ...UNPLANNED, awaits: false, readyAt: means.readyAt, reason: null });
    case 'NEVER':
      return write('AGAIN', { state: 'ENDED', outcome: 'CANCELLED', reason: means.reason, endedAt: now });
  }
}
