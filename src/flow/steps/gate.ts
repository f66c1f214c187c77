import { SiteFailure, StaleTurn } from '../../domain/failures.ts';
import { whatPredecessorsMean } from '../../plan/job/predecessors.ts';
import { noMoves, whatOpeningMeans } from '../../plan/reservation/life.ts';
import { findPredecessors } from '../../store/dependencies.ts';
import { adapterFor } from '../identities.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { nativeRef } from './sightings/sightings.ts';

/**
 * Looks after a job that was handed to its site ahead of the end of its predecessor. It waits at its gate, inside the
 * job; only when the end is on record and the job runs it is told to begin, and first that is written down. It may not
 * have heard, so it is told again, after growing pauses, as long as its gate could still be shut. When its predecessor
 * has failed it is cancelled.
 */
export async function gateStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  const now = context.clock.now();
  const found = await findPredecessors(context.database.db, [execution.id]);
  const means = whatPredecessorsMean(found.map(({ condition, predecessor }) => ({ ...predecessor, condition })));
  if (means.kind === 'NEVER') {
    return writeMoves(inHand, { ...noMoves(now, 'AT_ONCE'), cancelBecause: means.reason });
  }
  if (means.kind === 'WAIT' || execution.state === 'QUEUED') return writeMoves(inHand, noMoves(now, { at: null }));
  return letBegin(inHand, means.readyAt);
}

async function letBegin(inHand: ExecutionInHand, readyAt: number): Promise<Next> {
  const { context, execution } = inHand;
  const begunAt = performance.now();
  const now = context.clock.now();
  await writeMoves(inHand, whatOpeningMeans(execution, readyAt, now));
  // A worker that was paused here for longer than its lease may have been replaced.
  if (performance.now() - begunAt > context.settings.leaseMilliseconds) {
    throw new StaleTurn(`execution ${execution.id}`);
  }
  const hasTold = await tell(inHand);
  const { observeIntervalSeconds } = context.settings;
  const sinceSeconds = hasTold ? now - (execution.gateOpenedAt ?? now) : 0;
  const nextAt = now + Math.max(observeIntervalSeconds, sinceSeconds);
  const shutAt = (execution.startedAt ?? now) + (execution.gateSeconds ?? 0);
  return writeMoves(inHand, noMoves(context.clock.now(), { at: nextAt < shutAt ? nextAt : null }));
}

async function tell({ context, execution }: ExecutionInHand): Promise<boolean> {
  const adapter = await adapterFor(context, execution, await siteOf(context, execution));
  try {
    await adapter.begin?.(nativeRef(execution));
    return true;
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    const { id: executionId, requestId, nativeId } = execution;
    context.logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not told to begin yet');
    return false;
  }
}
