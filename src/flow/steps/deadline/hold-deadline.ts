import { isFinishPromised } from '../../../plan/deadline/deadline-facts.ts';
import { isInDanger, isWorthMoving } from '../../../plan/deadline/watch.ts';
import { noMoves, UNPLANNED } from '../../../plan/reservation/life.ts';
import type { SiteRow } from '../../../store/sites.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import type { Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { mostElsewhere, type PromisedExecution, promisableAt } from './outlook.ts';

/**
 * Looks after a held job that was promised to finish by a deadline. One that its site gave back is planned anew, and so
 * is one that has to wait, or whose site is out of sight, when another site can promise markedly more. Null, and
 * nothing is changed, for one that may be submitted; null for any other job.
 */
export async function holdForDeadline(inHand: ExecutionInHand, site: SiteRow): Promise<Next | null> {
  const { context, execution } = inHand;
  if (!isFinishPromised(execution)) return null;
  const now = context.clock.now();
  const { submitAt } = execution;
  if (submitAt === null) return replan(inHand, execution, execution.reason, now);
  if (submitAt <= now && site.state === 'ACTIVE') return null;
  const current = (await promisableAt(context, execution, site.id, now)).probability ?? 0;
  const best = isInDanger(execution, current) ? await mostElsewhere(context, execution, now) : 0;
  if (isWorthMoving({ current, best })) {
    return replan(inHand, execution, `${site.name} would finish it too late`, now);
  }
  if (submitAt <= now) return null;
  const { recomputeIntervalSeconds } = context.settings;
  const deadlineAt = execution.deadlineAt > now ? execution.deadlineAt : Number.POSITIVE_INFINITY;
  const at = Math.min(submitAt, now + recomputeIntervalSeconds, deadlineAt);
  return writeMoves(inHand, { ...noMoves(now, { at }), execution: { currentFinishProbability: current } });
}

function replan(
  inHand: ExecutionInHand,
  { finishMoves }: PromisedExecution,
  reason: string | null,
  now: number,
): Promise<Next> {
  const execution = { ...UNPLANNED, reason, finishMoves: finishMoves + 1 };
  return writeMoves(inHand, { ...noMoves(now, 'AT_ONCE'), execution });
}
