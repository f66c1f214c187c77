import { invariant, SiteFailure } from '../../domain/failures.ts';
import { submissionKey } from '../../domain/submission.ts';
import { whatAskingToCancelMeans, whatCancellationMeans } from '../../plan/reservation/life.ts';
import { adapterFor } from '../identities.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { isHeldBack, letGo } from './held-back/hold-back.ts';
import { resolveDoubtStep } from './resolve-doubt.ts';

/**
 * Carries out a wish to cancel. Before submission nothing exists and it ends at once, those who are held back behind it
 * moving up; a submission in doubt is settled first; afterwards the site is asked again and again until its accounting
 * says that the job has ended.
 */
export async function cancelStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  if (execution.state === 'SUBMITTING') return resolveDoubtStep(inHand);
  const isInQueue = execution.state === 'HELD' && isHeldBack(execution, context.clock.now());
  if (isInQueue && execution.heldBackBehindId === null) return letGo(inHand, execution.reason ?? '');
  if (execution.state === 'REQUESTED' || execution.state === 'HELD') {
    return writeMoves(inHand, whatCancellationMeans(execution, reservation, context.clock.now()));
  }
  return cancelAtSite(inHand);
}

async function cancelAtSite(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const { nativeId, nativeSubmittedAt } = execution;
  invariant(nativeId !== null && nativeSubmittedAt !== null, `execution ${execution.id} is queued without a native id`);
  const adapter = await adapterFor(context, execution, await siteOf(context, execution));
  try {
    const key = submissionKey(execution.id, execution.attempts);
    await adapter.cancel({ nativeId, submittedAt: nativeSubmittedAt, key });
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    const { id: executionId, requestId } = execution;
    context.logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not cancelled yet');
  }
  const lookAgainSeconds = 2 * context.settings.observeIntervalSeconds;
  return writeMoves(inHand, whatAskingToCancelMeans(reservation, { now: context.clock.now(), lookAgainSeconds }));
}
