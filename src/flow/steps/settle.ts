import type { JobUse } from '../../domain/job-use.ts';
import { chargesOf, heldIdleSeconds, whatTheEndMeans, withLostTries } from '../../plan/reservation/life.ts';
import type { Db } from '../../store/database.ts';
import { publishChange } from '../../store/events.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import { findForecastsToScore } from '../../store/plans.ts';
import { readUse } from '../../store/records.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { saveCharges, saveScores } from '../../store/scores.ts';
import { endStaging } from '../../store/stagings.ts';
import { sumTries } from '../../store/tries.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { scoresOf } from './learn/score.ts';

/**
 * Books an ended execution: decides its promise if nobody has, charges it, scores its forecasts, tells its
 * co-allocation.
 */
export async function settleStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const now = context.clock.now();
  const moves = whatTheEndMeans(execution, reservation, now);
  const verdict = moves.reservation.at(-1) ?? reservation?.state ?? null;
  const forecasts = execution.siteId
    ? await findForecastsToScore(context.database.db, execution.id, execution.siteId)
    : [];
  const use = await useOf(context.database.db, execution);
  const { id: executionId, requestId, siteId, outcome, reason } = execution;
  context.logger.info({ requestId, executionId, siteId, outcome, reason, promise: verdict }, 'ended');
  return writeMoves(inHand, moves, async (tx, promise) => {
    const lost = execution.failedTries > 0 ? await sumTries(tx, execution.id) : 0;
    const charges = withLostTries(chargesOf(execution, promise), lost);
    await saveCharges(tx, execution.id, charges, now);
    const heldSeconds = heldIdleSeconds(execution, promise);
    await saveScores(tx, scoresOf({ execution, reservation: promise, forecasts, use, heldSeconds }, now));
    if (reservation) await tellThatSettled(tx, reservation);
    if (execution.staging !== null) await endStaging(tx, execution, now);
  });
}

/** What its site's record tells that it used. */
async function useOf(db: Db, execution: ExecutionRow): Promise<JobUse | undefined> {
  const { siteId, nativeId, nativeSubmittedAt: submitAt } = execution;
  if (siteId === null || nativeId === null || submitAt === null) return undefined;
  return readUse(db, siteId, { nativeId, submitAt });
}

/** Whoever follows a promise, or its group, waits for the charge too. */
async function tellThatSettled(tx: Db, { id, tenantId, coAllocationId }: ReservationRow): Promise<void> {
  await publishChange(tx, { type: 'RESERVATION', id, tenantId });
  if (coAllocationId !== null) await publishChange(tx, { type: 'CO_ALLOCATION', id: coAllocationId, tenantId });
}
