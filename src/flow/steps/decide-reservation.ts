import { submissionKey } from '../../domain/submission.ts';
import { type LastSeen, whatItsMomentMeans } from '../../plan/reservation/life.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { readSnapshot } from '../../store/sites.ts';
import type { FlowContext } from '../context.ts';
import { adapterFor } from '../identities.ts';
import type { PromiseInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { askPhase } from './sightings/sightings.ts';

/** Decides a submitted reservation once its moment has come, from what the site has been seen to do. */
export async function decideReservationStep(inHand: PromiseInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const now = context.clock.now();
  const seen = await lastSeen(context, execution, reservation);
  const lookAgainSeconds = context.settings.observeIntervalSeconds;
  return writeMoves(inHand, whatItsMomentMeans(inHand, seen, { now, lookAgainSeconds }));
}

/**
 * What the site's newest snapshot shows of the job, or by asking for a leg, for the others must hear soon what became
 * of it. The row itself proves nothing: it is told what a snapshot shows some time after that is stored, and not at all
 * by an observer who died in between.
 */
async function lastSeen(
  context: FlowContext,
  execution: ExecutionRow,
  { startAt, coAllocationId }: ReservationRow,
): Promise<LastSeen> {
  const site = await siteOf(context, execution);
  const snapshot = await readSnapshot(context.database.db, site.id);
  const askedAt = context.clock.now();
  if (coAllocationId !== null && askedAt >= startAt && (snapshot?.observedAt ?? 0) < startAt) {
    const phase = await askPhase(context, await adapterFor(context, execution, site), execution);
    return { waitingAt: phase === 'WAITING' ? askedAt : null, runningAt: phase === 'RUNNING' ? askedAt : null };
  }
  const key = submissionKey(execution.id, execution.attempts);
  const isOurs = (job: { readonly key: string | null }) => job.key === key;
  return {
    waitingAt: snapshot?.waiting.some(isOurs) ? snapshot.observedAt : null,
    runningAt: snapshot?.running.some(isOurs) ? snapshot.observedAt : null,
  };
}
