import { invariant, SiteFailure } from '../../domain/failures.ts';
import type { NativeJob } from '../../domain/site-adapter.ts';
import { noMoves } from '../../plan/reservation/life.ts';
import { listSubmissions } from '../../store/submissions.ts';
import { adapterFor } from '../identities.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { giveBack, giveUp, recordAcceptance } from './submission/outcome.ts';

/**
 * Decides a submission that is in doubt. Queue and accounting are asked for the key. One silence proves nothing: the
 * job may have run and ended already, and accounting lags. So after the command must be over the site has to be silent
 * once, and still be silent when everything that had ended by then must have reached accounting. Then the attempt
 * counts as absent, and the next one gets a fresh key. Without accounting silence proves that only as long as the queue
 * tells of ended jobs: asked later, the site may have run the job and forgotten it.
 */
export async function resolveDoubtStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  const adapter = await adapterFor(context, execution, await siteOf(context, execution));
  const submission = (await listSubmissions(context.database.db, execution.id)).at(-1);
  invariant(submission?.state === 'INTENDED', `execution ${execution.id} is submitting without an intent`);
  const { key, intendedAt } = submission;
  const askedAt = context.clock.now();
  const wait = (at: number, missingSince: number | null) =>
    writeMoves(inHand, { ...noMoves(askedAt, { at }), execution: { missingSince } });
  let found: NativeJob | null;
  try {
    found = await adapter.find(key, intendedAt);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return wait(askedAt + context.settings.observeIntervalSeconds, execution.missingSince);
  }
  if (found) return recordAcceptance(inHand, key, found);
  const commandOverAt = intendedAt + 2 * context.settings.retrySeconds;
  if (askedAt < commandOverAt) return wait(commandOverAt, null);
  const { accounting, accountingLagSeconds, endedInQueueSeconds = 0 } = adapter.capabilities;
  if (execution.missingSince === null) return wait(askedAt + accountingLagSeconds + 1, askedAt);
  const provenAt = execution.missingSince + accountingLagSeconds + 1;
  if (askedAt < provenAt) return wait(provenAt, execution.missingSince);
  if (!accounting && execution.missingSince > intendedAt + endedInQueueSeconds) {
    return giveUp(inHand, key, 'its answer was lost, and a site without accounting cannot tell whether it ran the job');
  }
  return giveBack(inHand, key, 'neither queue nor accounting know the key');
}
