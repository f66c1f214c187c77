import { mayBeAskedBack, noMoves } from '../../plan/reservation/life.ts';
import { findNewestSubmission } from '../../store/submissions.ts';
import { adapterFor } from '../identities.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { planRequest } from './planning/plan-request.ts';
import { askBack, askBackAgain } from './sightings/ask-back.ts';
import { askPhase } from './sightings/sightings.ts';

/**
 * Looks after a job of which nothing is promised and that its site says it never starts. Where another site takes it,
 * it is asked back: only when the observation has found it gone without a start is it planned anew (`whatFollows`).
 * Otherwise it stays, for an admin may lift the limit.
 */
export async function leaveStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  const submission = await findNewestSubmission(context.database.db, execution.id);
  if (submission?.state === 'WITHDRAWING') return askBackAgain(inHand);
  const now = context.clock.now();
  const stay = (seconds: number) => writeMoves(inHand, noMoves(now, { at: now + seconds }));
  const { recomputeIntervalSeconds, observeIntervalSeconds } = context.settings;
  if (!mayBeAskedBack(execution)) return stay(recomputeIntervalSeconds);
  const { plan } = await planRequest(context, execution, now, (siteId) => siteId !== execution.siteId);
  if (plan.chosen === null) return stay(recomputeIntervalSeconds);
  const site = await siteOf(context, execution);
  const adapter = await adapterFor(context, execution, site);
  // A running job is never cancelled for a move, nor one of which nothing is known.
  if ((await askPhase(context, adapter, execution)) !== 'WAITING') return stay(observeIntervalSeconds);
  context.logger.info({ executionId: execution.id, site: site.name }, 'asked back, as its site never starts it');
  return askBack(inHand, adapter);
}
