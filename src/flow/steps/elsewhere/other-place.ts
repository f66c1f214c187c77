import { lockCoAllocation } from '../../../store/co-allocations.ts';
import type { Db } from '../../../store/database.ts';
import { lockSitesThatTakeWork } from '../../../store/open-sites.ts';
import type { FlowContext } from '../../context.ts';
import { loadLegs, sitesInUse } from '../../legs.ts';
import { findOffersElsewhere, type OfferElsewhere, type PromisedJob } from './elsewhere.ts';

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

/** The offer of another site, where no other leg lives, that is the most probable. */
export async function findMostProbableOffer(
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
export async function isStillFree(tx: Db, job: PromisedJob, siteId: string): Promise<boolean> {
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
