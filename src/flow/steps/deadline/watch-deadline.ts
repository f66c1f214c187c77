import { invariant } from '../../../domain/failures.ts';
import { isFinishPromised } from '../../../plan/deadline/deadline-facts.ts';
import { hasMissed, isInDanger, isWorthMoving, whatMissingMeans } from '../../../plan/deadline/watch.ts';
import { isNeverStarted, noMoves } from '../../../plan/reservation/life.ts';
import type { SiteRow } from '../../../store/sites.ts';
import { findNewestSubmission } from '../../../store/submissions.ts';
import { adapterFor } from '../../identities.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { siteOf } from '../../site-of.ts';
import type { Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { askBack, askBackAgain } from '../sightings/ask-back.ts';
import { askPhase } from '../sightings/sightings.ts';
import { mostElsewhere, type PromisedExecution, queuedFinish, runningFinish } from './outlook.ts';

/**
 * Looks after a job at its site that was promised to finish by a deadline, every few minutes and at the deadline. While
 * it waits with its promise in danger, and another site can promise markedly more, its job is asked back: only when the
 * observation has found it gone without a start is it held again, to be planned anew (`whatFollows`). Once the deadline
 * has passed, that is told, and the job ended or left to run late.
 */
export async function watchDeadlineStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  invariant(isFinishPromised(execution), `execution ${execution.id} is watched for no deadline`);
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  if (now >= execution.deadlineAt) return decide(inHand, execution, site, now);
  const submission = await findNewestSubmission(context.database.db, execution.id);
  if (execution.state === 'QUEUED' && submission?.state === 'WITHDRAWING') return askBackAgain(inHand);
  const current = await finishBy(inHand, execution, site, now);
  const { recomputeIntervalSeconds } = context.settings;
  const stay = () => {
    const at = Math.min(execution.deadlineAt, now + recomputeIntervalSeconds);
    return writeMoves(inHand, { ...noMoves(now, { at }), execution: changeOf(execution, current) });
  };
  if (execution.state !== 'QUEUED' || current === null || !isInDanger(execution, current)) return stay();
  const best = await mostElsewhere(context, execution, now);
  const adapter = await adapterFor(context, execution, site);
  // A running job is never cancelled for a move, nor one of which nothing is known.
  if (!isWorthMoving({ current, best }) || (await askPhase(context, adapter, execution)) !== 'WAITING') return stay();
  context.logger.info({ executionId: execution.id, site: site.name, current, best }, 'asked back for its deadline');
  return askBack(inHand, adapter);
}

/** Ends what was not at a site when its deadline passed. */
export async function missDeadlineStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  invariant(isFinishPromised(execution), `execution ${execution.id} has no promised deadline to miss`);
  return writeMoves(inHand, whatMissingMeans(execution, context.clock.now()));
}

async function finishBy({ context }: ExecutionInHand, execution: PromisedExecution, site: SiteRow, now: number) {
  if (execution.state === 'RUNNING') return runningFinish(context, execution, site, now);
  return isNeverStarted(execution) ? 0 : queuedFinish(context, execution, site, now);
}

function decide(inHand: ExecutionInHand, execution: PromisedExecution, site: SiteRow, now: number): Promise<Next> {
  const { staleAfterSeconds: silentSeconds, observeIntervalSeconds } = inHand.context.settings;
  if (hasMissed(execution, { observedAt: site.observedAt, silentSeconds }, now)) {
    return writeMoves(inHand, whatMissingMeans(execution, now));
  }
  return writeMoves(inHand, noMoves(now, { at: now + observeIntervalSeconds }));
}

/** Only what has changed is written, and told. */
function changeOf({ currentFinishProbability: before }: PromisedExecution, current: number | null) {
  const isNews = current !== null && (before === null || Math.abs(current - before) >= LEAST_NEWS);
  return isNews ? { currentFinishProbability: current } : {};
}

const LEAST_NEWS = 0.005;
