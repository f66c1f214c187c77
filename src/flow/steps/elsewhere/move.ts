import { planAtSite } from '../../../forecast/site-plan.ts';
import { type Departure, noMoves, whyLeave } from '../../../plan/reservation/life.ts';
import { changeExecution } from '../../../store/execution-changes.ts';
import { savePlan } from '../../../store/plans.ts';
import { saveTrajectory } from '../../../store/reservations.ts';
import { asCandidate, type SiteRow } from '../../../store/sites.ts';
import { findNewestSubmission } from '../../../store/submissions.ts';
import { assertTurn } from '../../../store/turns.ts';
import type { PromiseInHand } from '../../in-hand.ts';
import { commitStep, type Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { refusalAt, standingOf } from '../refusals/refusals.ts';
import { asPromise } from './elsewhere.ts';
import { findEqualOffer, findMostProbableOffer, isStillFree } from './other-place.ts';
import { findObstacle } from './unusable.ts';

/**
 * Moves a promise that waits for its submission away from a site that is suspended, removed, refuses it or has
 * announced a maintenance, to the site that promises as much for the least expected charge. One whose job was withdrawn
 * there has lost its place in that queue, one that was refused never had any: they go, where no site promises as much
 * any more, to the one that promises the most. Null, and nothing is changed, when there is none: it then waits where it
 * is.
 */
export async function moveAway(inHand: PromiseInHand, from: SiteRow): Promise<Next | null> {
  const { context, turn, execution, reservation } = inHand;
  const now = context.clock.now();
  const departure = await findDeparture(inHand, from, now);
  if (!departure) return null;
  const { why, isOut, isTold } = departure;
  const job = { execution, reservation };
  const equal = await findEqualOffer(context, job, now);
  const found = equal ?? (isOut ? await findMostProbableOffer(context, job, now) : null);
  if (!found) return isTold ? tellOf(inHand, `no other site promises it, and ${why}`, now) : null;
  const { point, charge, trajectory } = found.offer;
  const probability = equal ? reservation.probability : point.probability;
  const { plan, forecasts } = planAtSite(asPromise(found, probability), execution, `as ${why}`, now);
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    if (!(await isStillFree(tx, job, found.site.id))) return assertTurn(tx, turn);
    context.logger.info({ executionId: execution.id, from: from.name, to: found.site.name }, 'moved');
    const assignment = { siteId: found.site.id, siteQueue: found.queue, submitAt: point.submitAt };
    const reason = `moved to ${found.site.name}: ${why}`;
    await changeExecution(tx, turn, execution, { ...assignment, reason }, now);
    await savePlan(tx, execution.id, plan, forecasts);
    await saveTrajectory(tx, reservation.id, {
      trajectory,
      currentProbability: probability,
      worstPaddingProcessorSeconds: charge.worstPaddingProcessorSeconds,
      expectedPaddingProcessorSeconds: charge.expectedPaddingProcessorSeconds,
      now,
    });
  });
}

/** Says why a promise is in danger, once; null when that has been said. */
async function tellOf(inHand: PromiseInHand, reason: string, now: number): Promise<Next | null> {
  if (inHand.execution.reason === reason) return null;
  return writeMoves(inHand, { ...noMoves(now, 'AT_ONCE'), execution: { reason } });
}

async function findDeparture(inHand: PromiseInHand, from: SiteRow, now: number): Promise<Departure | null> {
  const { context, execution, reservation } = inHand;
  const there = asCandidate(from, await standingOf(context, execution, now));
  const obstacle = findObstacle(there, execution, reservation.startAt)?.explanation ?? null;
  const isWithdrawn = await isWithdrawnFrom(inHand, from);
  const refusal = await refusalAt(context, execution, from, now);
  const submitAt = execution.submitAt ?? now;
  return whyLeave({ siteName: from.name, siteState: from.state, obstacle, isWithdrawn, refusal, submitAt }, now);
}

/** Whether the newest attempt was withdrawn from this site, and the execution has not been moved since. */
async function isWithdrawnFrom({ context, execution }: PromiseInHand, site: SiteRow): Promise<boolean> {
  if (execution.attempts === 0) return false;
  const submission = await findNewestSubmission(context.database.db, execution.id);
  return submission?.state === 'WITHDRAWN' && submission.siteId === site.id;
}
