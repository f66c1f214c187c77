import { type ExecutionRow } from '../../store/executions.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { submitStep } from './submit.ts';

/** Waits for the plan's submission time, then submits. */
export async function holdStep(context: FlowContext, turn: Turn, execution: ExecutionRow): Promise<Next> {
  const submitAt = execution.submitAt ?? context.clock.now();
  if (submitAt <= context.clock.now()) return submitStep(context, turn, execution, null);
  return commitStep(context, turn, { wakeAt: submitAt }, (tx) => assertTurn(tx, turn));
}
