import type { SiteFailure } from '../../../domain/failures.ts';
import type { NativeRef } from '../../../domain/site-adapter.ts';
import { isFinishPromised } from '../../../plan/deadline/deadline-facts.ts';
import {
  whatAbsenceMeans,
  whatAcceptanceMeans,
  whatRefusalMeans,
  whatUnknownAttemptMeans,
} from '../../../plan/reservation/life.ts';
import type { Db } from '../../../store/database.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { listSubmissions, resolveSubmission } from '../../../store/submissions.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { publicWords } from '../../public-words.ts';
import { siteOf } from '../../site-of.ts';
import { backoffSeconds, type Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { forgetRefusals, keepRefusal, wakeRefusedPromises } from '../refusals/refusals.ts';

/** The site has the job under an id of its own. */
export async function recordAcceptance(inHand: ExecutionInHand, key: string, accepted: NativeRef): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const now = context.clock.now();
  const { nativeId } = accepted;
  const { id: executionId, requestId, siteId } = execution;
  context.logger.info({ requestId, executionId, siteId, key, nativeId }, 'accepted by its site');
  const cancelNow = execution.cancelRequestedAt !== null;
  // A promise handed to a site that is taken to be down looks for another one at once.
  const moveSoon = reservation !== null && (await siteOf(context, execution)).state === 'SUSPENDED';
  const reason = await presentReason(context.database.db, execution);
  const isUnsettled = cancelNow || moveSoon || isFinishPromised(execution);
  const moves = whatAcceptanceMeans(inHand, accepted, { reason, isUnsettled, now });
  return writeMoves(inHand, moves, async (tx) => {
    await resolveSubmission(tx, key, { state: 'ACCEPTED', nativeId, siteSays: null, resolvedAt: now });
    await forgetRefusals(tx, execution);
  });
}

/**
 * Why an execution is where it is now. Why an earlier attempt failed is told with that attempt and is not why the job
 * waits.
 */
async function presentReason(tx: Db, { id, reason, attempts: count }: ExecutionRow): Promise<string | null> {
  const attempts = reason === null || count < 2 ? [] : await listSubmissions(tx, id);
  const isPast = attempts.some(({ siteSays }) => reason === siteSays || reason === refusalReason(siteSays ?? ''));
  return isPast ? null : reason;
}

function refusalReason(siteSays: string): string {
  return `the site refused it: ${siteSays}`;
}

/** The site said no. What it refuses is kept in mind, and told to the promises that it is refused to as well. */
export async function reject(inHand: ExecutionInHand, key: string, failure: SiteFailure): Promise<Next> {
  const { context, execution } = inHand;
  const now = context.clock.now();
  const siteSays = publicWords(failure);
  const next = await writeMoves(inHand, whatRefusalMeans(inHand, refusalReason(siteSays), now), async (tx) => {
    await resolveSubmission(tx, key, { state: 'REJECTED', nativeId: null, siteSays, resolvedAt: now });
    await keepRefusal(tx, context, execution, siteSays, now);
  });
  await wakeRefusedPromises(context, execution, siteSays, now);
  return next;
}

/** Back to `HELD`: nothing of this attempt exists at the site. The next attempt comes after a growing pause. */
export async function giveBack(inHand: ExecutionInHand, key: string, siteSays: string): Promise<Next> {
  const { context, execution } = inHand;
  const now = context.clock.now();
  const submitAt = now + backoffSeconds(context.settings.retrySeconds, execution.attempts);
  return writeMoves(inHand, whatAbsenceMeans(siteSays, submitAt, now), (tx) =>
    resolveSubmission(tx, key, { state: 'ABSENT', nativeId: null, siteSays, resolvedAt: now }),
  );
}

/** Nobody can tell whether the site ran this attempt: there is no next one. */
export async function giveUp(inHand: ExecutionInHand, key: string, siteSays: string): Promise<Next> {
  const now = inHand.context.clock.now();
  return writeMoves(inHand, whatUnknownAttemptMeans(siteSays, now), (tx) =>
    resolveSubmission(tx, key, { state: 'ABSENT', nativeId: null, siteSays, resolvedAt: now }),
  );
}
