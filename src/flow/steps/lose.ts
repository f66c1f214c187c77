import { changeExecution } from '../../store/execution-changes.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { commitStep, type Next } from '../turn.ts';

/**
 * Ends what may still be at a site that was removed by force. Nothing is claimed of it: when it ended, if it has,
 * nobody knows.
 */
export function loseStep({ context, turn, execution }: ExecutionInHand, { name }: SiteRow): Promise<Next> {
  const { id: executionId, requestId, siteId, nativeId } = execution;
  context.logger.warn({ requestId, executionId, siteId, nativeId }, 'lost with its site');
  const reason = `${name} was removed by force: nobody could be asked what became of the job there`;
  return commitStep(context, turn, 'AGAIN', (tx) =>
    changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'LOST', reason }, context.clock.now()),
  );
}
