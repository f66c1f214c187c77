import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { refusalAt, UNPLANNED } from './refusals.ts';
import { siteOf, submitStep } from './submit.ts';

/** Waits for the plan's submission time, then submits; what its site has come to refuse meanwhile is planned again. */
export async function holdStep(context: FlowContext, turn: Turn, execution: ExecutionRow): Promise<Next> {
  const now = context.clock.now();
  const submitAt = execution.submitAt ?? now;
  if (submitAt > now) return commitStep(context, turn, { wakeAt: submitAt }, (tx) => assertTurn(tx, turn));
  const refusal = await refusalAt(context, execution, await siteOf(context, execution), now);
  if (!refusal) return submitStep(context, turn, execution, null);
  return commitStep(context, turn, 'AGAIN', (tx) => changeExecution(tx, turn, execution, UNPLANNED, now));
}
