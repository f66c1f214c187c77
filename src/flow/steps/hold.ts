import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { refusalAt, UNPLANNED } from './refusals.ts';
import { siteOf, submitStep } from './submit.ts';

/**
 * Waits for the plan's submission time, then submits. What its site has come to refuse meanwhile is planned again, and
 * so is all that waits for a site that is being removed.
 */
export async function holdStep(context: FlowContext, turn: Turn, execution: ExecutionRow): Promise<Next> {
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const replan = (reason: string | null) => {
    return commitStep(context, turn, 'AGAIN', (tx) =>
      changeExecution(tx, turn, execution, { ...UNPLANNED, reason }, now),
    );
  };
  if (site.state === 'REMOVING') return replan(`${site.name} is being removed`);
  const submitAt = execution.submitAt ?? now;
  if (submitAt > now) return commitStep(context, turn, { wakeAt: submitAt }, (tx) => assertTurn(tx, turn));
  const refusal = await refusalAt(context, execution, site, now);
  if (!refusal) return submitStep(context, turn, execution, null);
  return replan(execution.reason);
}
