import { planAtSite } from '../../forecast/site-plan.ts';
import { lockCoAllocation } from '../../store/co-allocations.ts';
import type { Db } from '../../store/database.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { savePlan } from '../../store/plans.ts';
import { type ReservationRow, saveTrajectory } from '../../store/reservations.ts';
import { asCandidate, lockSitesThatTakeWork, type SiteRow } from '../../store/sites.ts';
import { findNewestSubmission } from '../../store/submissions.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { asPromise, findOffersElsewhere, type OfferElsewhere, type PromisedJob } from './elsewhere.ts';
import { loadLegs, sitesInUse } from './legs.ts';
import { refusalAt } from './refusals.ts';
import { findObstacle } from './unusable.ts';

/** Why a promise should leave the site it waits for. */
interface Departure {
  readonly why: string;
  /**
   * Whether nothing is lost by going: it then goes, where no site promises as much, to the one that promises the most.
   */
  readonly isOut: boolean;
  /** Whether it is told of the departure although there is nowhere to go. */
  readonly isTold: boolean;
}

/**
 * Moves a promise that waits for its submission away from a site that is suspended, removed, refuses it or has
 * announced a maintenance, to the site that promises as much for the least expected charge. One whose job was withdrawn
 * there has lost its place in that queue, one that was refused never had any: they go, where no site promises as much
 * any more, to the one that promises the most. Null, and nothing is changed, when there is none: it then waits where it
 * is.
 */
export async function moveAway(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
  from: SiteRow,
): Promise<Next | null> {
  const now = context.clock.now();
  const departure = await findDeparture(context, execution, reservation, from, now);
  if (!departure) return null;
  const { why, isOut, isTold } = departure;
  const job = { execution, reservation };
  const equal = await findEqualOffer(context, job, now);
  const found = equal ?? (isOut ? await findMostProbableOffer(context, job, now) : null);
  if (!found) return isTold ? tellOf(context, turn, execution, `no other site promises it, and ${why}`, now) : null;
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
async function tellOf(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reason: string,
  now: number,
): Promise<Next | null> {
  if (execution.reason === reason) return null;
  return commitStep(context, turn, 'AGAIN', (tx) => changeExecution(tx, turn, execution, { reason }, now));
}

async function findDeparture(
  context: FlowContext,
  execution: ExecutionRow,
  { startAt }: ReservationRow,
  from: SiteRow,
  now: number,
): Promise<Departure | null> {
  if (from.state === 'REMOVING') return { why: `${from.name} is being removed`, isOut: true, isTold: false };
  const obstacle = findObstacle(asCandidate(from), execution, startAt);
  const isWithdrawn = await isWithdrawnFrom(context.database.db, execution, from);
  if (isWithdrawn) {
    const why = obstacle?.explanation ?? `${from.name} is taken to be down`;
    return { why: `${why} and has given its job back`, isOut: true, isTold: false };
  }
  const submitAt = execution.submitAt ?? now;
  const refusal = await refusalAt(context, execution, from, now);
  // One that is let in again before it is due has lost nothing.
  if (refusal && submitAt < refusal.until) {
    return { why: `${from.name} refuses it: ${refusal.siteSays}`, isOut: submitAt <= now, isTold: false };
  }
  if (from.state === 'SUSPENDED') return { why: `${from.name} is taken to be down`, isOut: false, isTold: false };
  return obstacle && { why: obstacle.explanation, isOut: false, isTold: true };
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
