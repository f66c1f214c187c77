import { planAtSite } from '../../forecast/site-plan.ts';
import { type Departure, noMoves, whyLeave } from '../../plan/reservation/life.ts';
import { lockCoAllocation } from '../../store/co-allocations.ts';
import type { Db } from '../../store/database.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { savePlan } from '../../store/plans.ts';
import { saveTrajectory } from '../../store/reservations.ts';
import { asCandidate, lockSitesThatTakeWork, type SiteRow } from '../../store/sites.ts';
import { findNewestSubmission } from '../../store/submissions.ts';
import { assertTurn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import type { PromiseInHand } from '../in-hand.ts';
import { commitStep, type Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { asPromise, findOffersElsewhere, type OfferElsewhere, type PromisedJob } from './elsewhere.ts';
import { loadLegs, sitesInUse } from './legs.ts';
import { refusalAt } from './refusals.ts';
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
      now,
    });
  });
}

/** Says why a promise is in danger, once; null when that has been said. */
async function tellOf(inHand: PromiseInHand, reason: string, now: number): Promise<Next | null> {
  if (inHand.execution.reason === reason) return null;
  return writeMoves(inHand, { ...noMoves(now, 'AT_ONCE'), execution: { reason } });
}

async function findDeparture(
  { context, execution, reservation }: PromiseInHand,
  from: SiteRow,
  now: number,
): Promise<Departure | null> {
  const obstacle = findObstacle(asCandidate(from), execution, reservation.startAt)?.explanation ?? null;
  const isWithdrawn = await isWithdrawnFrom(context.database.db, execution, from);
  const refusal = await refusalAt(context, execution, from, now);
  const submitAt = execution.submitAt ?? now;
  return whyLeave({ siteName: from.name, siteState: from.state, obstacle, isWithdrawn, refusal, submitAt }, now);
}

/**
 * The cheapest offer of what was promised by another site, where no other leg lives.
 * @param submitAt the first moment at which it could be submitted there
 */
export async function findEqualOffer(
  context: FlowContext,
  job: PromisedJob,
  submitAt: number,
): Promise<OfferElsewhere | null> {
  const { probability } = job.reservation;
  const out = await sitesInTheWay(context.database.db, job);
  const [found] = await findOffersElsewhere(context, job, out, probability, context.clock.now(), submitAt);
  return found ?? null;
}

async function findMostProbableOffer(
  context: FlowContext,
  job: PromisedJob,
  now: number,
): Promise<OfferElsewhere | null> {
  const [found] = await findOffersElsewhere(context, job, await sitesInTheWay(context.database.db, job), null, now);
  return found ?? null;
}

/**
 * False when the site was drained or suspended, or another leg has come to live there, since it was asked: the next
 * step asks again.
 */
async function isStillFree(tx: Db, job: PromisedJob, siteId: string): Promise<boolean> {
  const { coAllocationId } = job.reservation;
  if (coAllocationId !== null) {
    await lockCoAllocation(tx, coAllocationId);
    if ((await sitesInTheWay(tx, job)).has(siteId)) return false;
  }
  return (await lockSitesThatTakeWork(tx, [siteId])).has(siteId);
}

/** Its own site, however alive that may seem once its queue is empty, and those of the other legs. */
async function sitesInTheWay(db: Db, { execution, reservation }: PromisedJob): Promise<Set<string | null>> {
  const { coAllocationId } = reservation;
  const others = coAllocationId === null ? [] : sitesInUse(await loadLegs(db, coAllocationId));
  return new Set([execution.siteId, ...others]);
}

/** Whether the newest attempt was withdrawn from this site, and the execution has not been moved since. */
async function isWithdrawnFrom(db: Db, { id, attempts }: ExecutionRow, site: SiteRow): Promise<boolean> {
  if (attempts === 0) return false;
  const submission = await findNewestSubmission(db, id);
  return submission?.state === 'WITHDRAWN' && submission.siteId === site.id;
}
