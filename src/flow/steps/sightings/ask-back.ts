import { SiteFailure, StaleTurn } from '../../../domain/failures.ts';
import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import { type Moves, noMoves } from '../../../plan/reservation/life.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import type { FlowContext } from '../../context.ts';
import { adapterFor } from '../../identities.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { siteOf } from '../../site-of.ts';
import type { Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { askPhase, nativeRef } from './sightings.ts';

/**
 * Asks a job back from its site's queue: the wish is on record before the site is asked. One that certainly was not
 * reached keeps the job, and whether it had better go is asked anew.
 */
export async function askBack(inHand: ExecutionInHand, adapter: SiteAdapter): Promise<Next> {
  const { context, execution } = inHand;
  const begunAt = performance.now();
  await writeMoves(inHand, { ...noMoves(context.clock.now(), 'AT_ONCE'), attempt: 'WITHDRAWING' });
  // A worker that was paused here for longer than its lease may have been replaced, and the job may be wanted again.
  if (performance.now() - begunAt > context.settings.leaseMilliseconds) {
    throw new StaleTurn(`execution ${execution.id}`);
  }
  const isUntouched = (await cancel(context, adapter, execution)) === 'transient';
  return writeMoves(inHand, { ...lookLater(context), attempt: isUntouched ? 'ACCEPTED' : null });
}

/** The site may have been asked before, so the wish stands until the job is seen to run or to be gone. */
export async function askBackAgain(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  const begunAt = performance.now();
  const adapter = await adapterFor(context, execution, await siteOf(context, execution));
  const waits = (await askPhase(context, adapter, execution)) === 'WAITING';
  if (performance.now() - begunAt > context.settings.leaseMilliseconds) {
    throw new StaleTurn(`execution ${execution.id}`);
  }
  if (waits) await cancel(context, adapter, execution);
  return writeMoves(inHand, lookLater(context));
}

function lookLater({ clock, settings }: FlowContext): Moves {
  const now = clock.now();
  return noMoves(now, { at: now + 2 * settings.observeIntervalSeconds });
}

/** Asks the site to cancel the job; what the site failed with, or null. */
async function cancel(
  context: FlowContext,
  adapter: SiteAdapter,
  execution: ExecutionRow,
): Promise<SiteFailure['kind'] | null> {
  try {
    await adapter.cancel(nativeRef(execution));
    return null;
  } catch (error) {
    return note(context, execution, error).kind;
  }
}

function note(context: FlowContext, { id: executionId, requestId, nativeId }: ExecutionRow, error: unknown) {
  if (!(error instanceof SiteFailure)) throw error;
  context.logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not withdrawn yet');
  return error;
}
