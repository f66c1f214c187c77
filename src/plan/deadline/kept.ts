import type { ExecutionOutcome } from '../../domain/execution.ts';
import { type DeadlineFacts, isFinishPromised } from './deadline-facts.ts';

/**
 * Whether a job that has ended kept what was promised of its finish; null where nothing was, or it was not put to the
 * test. It was kept when the job completed by its deadline. It was missed when it had not ended by then, and when its
 * site ended it before: a job that is killed by its walltime, lost with its node or refused has not finished its work.
 * One that its caller cancelled before, or that failed by itself, tells nothing of the forecasts.
 */
export function finishKept(execution: Partial<DeadlineFacts>): boolean | null {
  if (!isFinishPromised(execution)) return null;
  const { outcome, endedAt, deadlineAt, cancelRequestedAt } = execution;
  const inTime = endedAt !== null && endedAt <= deadlineAt;
  if (outcome === 'COMPLETED' && inTime) return true;
  if (cancelRequestedAt !== null) return cancelRequestedAt < deadlineAt ? null : false;
  return inTime && outcome !== null && OF_ITS_OWN.has(outcome) ? null : false;
}

/** Ends before the deadline that are not its site's doing. */
const OF_ITS_OWN: ReadonlySet<ExecutionOutcome> = new Set(['FAILED', 'OUT_OF_MEMORY', 'CANCELLED']);
