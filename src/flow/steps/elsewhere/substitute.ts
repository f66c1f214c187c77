import { planAtSite } from '../../../forecast/site-plan.ts';
import { resourcesOf, siteRequestsOf } from '../../../store/plan-requests.ts';
import type { NewPromise } from '../../../store/promises.ts';
import { readScript } from '../../../store/scripts.ts';
import type { FlowContext } from '../../context.ts';
import { type Leg, sitesInUse } from '../../legs.ts';
import { asPromise, findOffersElsewhere, type OfferElsewhere } from './elsewhere.ts';

/**
 * Another leg in place of a missed one: at the site that promises as much for the least expected charge, or where none
 * does, the most. Sites where another leg lives are out, so are those that refused this one. Null when no site offers
 * anything, it was replaced often enough, or its script is not kept any more.
 * @param taken sites that other substitutes go to
 */
export async function findSubstitute(
  context: FlowContext,
  leg: Leg,
  legs: readonly Leg[],
  taken: ReadonlySet<string>,
  now: number,
): Promise<NewPromise | null> {
  if (leg.predecessors.length >= MOST_SUBSTITUTES) return null;
  const tried = [...leg.predecessors, leg.execution];
  const refused = tried.filter(({ outcome }) => outcome === 'REJECTED').map(({ siteId }) => siteId);
  const out = new Set([...sitesInUse(legs), ...refused, ...taken]);
  const [equal] = await findOffersElsewhere(context, leg, out, leg.reservation.probability, now);
  const best = equal ?? (await findOffersElsewhere(context, leg, out, null, now))[0];
  const script = best ? await readScript(context.database.db, leg.execution.scriptHash) : null;
  return best && script !== null ? promiseOf(leg, script, best, now) : null;
}

function promiseOf(leg: Leg, script: string, found: OfferElsewhere, now: number): NewPromise {
  const { execution, reservation, legId } = leg;
  const { point, charge, trajectory } = found.offer;
  const { tenantId, principalId, requestId, name, arguments: args, processors, walltimeSeconds } = execution;
  const { queue, allowedSiteIds, excludedSiteIds, requiredTags } = execution;
  const { coAllocationId, mode, startAt, windowOpensAt, ifMissed } = reservation;
  const { maxPaddingProcessorSeconds, maxExpectedPaddingProcessorSeconds } = reservation;
  const { probability } = point;
  const placed = { queue, allowedSiteIds, excludedSiteIds, requiredTags, ...siteRequestsOf(execution) };
  const size = { processors, walltimeSeconds, resources: resourcesOf(execution) };
  const work = { name, script, arguments: args, ...size, ...placed };
  return {
    request: { tenantId, principalId, requestId, ...work, deadlineAt: null, now },
    assignment: { siteId: found.site.id, siteQueue: found.queue, submitAt: point.submitAt },
    ...planAtSite(asPromise(found, probability), execution, `in place of leg ${legId} that missed`, now),
    terms: {
      coAllocationId,
      legId,
      mode,
      startAt,
      windowOpensAt,
      ifMissed,
      probability,
      promisedProbability: probability,
      worstPaddingProcessorSeconds: charge.worstPaddingProcessorSeconds,
      expectedPaddingProcessorSeconds: charge.expectedPaddingProcessorSeconds,
      maxPaddingProcessorSeconds,
      maxExpectedPaddingProcessorSeconds,
      holdPriceSeconds: null,
      trajectory,
    },
  };
}

const MOST_SUBSTITUTES = 4;
