import type { WaitForecast } from '../../domain/forecast.ts';
import type { ReservationOffer } from '../../domain/plan.ts';
import { reservationQuestion } from '../../forecast/reservation-question.ts';
import { planAtSite } from '../../forecast/site-plan.ts';
import { expectedCharge } from '../../plan/charge.ts';
import { findIneligibility, queueFor } from '../../plan/choose.ts';
import type { NewPromise } from '../../store/promises.ts';
import { asCandidate, listSites, type SiteRow } from '../../store/sites.ts';
import type { FlowContext } from '../context.ts';
import { type Leg } from './legs.ts';

/** What one site offers in place of a missed leg. */
interface SubstituteOffer {
  readonly site: SiteRow;
  readonly queue: string | null;
  readonly forecast: WaitForecast | null;
  readonly offer: Extract<ReservationOffer, { kind: 'PROMISE' }>;
}

/**
 * Another leg in place of a missed one: at the site that promises as much for the least expected charge, or where none does, the
 * most. Sites where another leg lives are out, so are those that refused this one. Null when no site offers anything, or it was
 * replaced often enough.
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
  const sites = await eligibleSites(context, leg, legs, taken, now);
  const promises = await askAll(context, leg, sites, leg.reservation.probability, now);
  promises.sort((a, b) => expectedCharge(a.offer.charge) - expectedCharge(b.offer.charge));
  const best = promises[0] ?? mostProbable(await askAll(context, leg, sites, null, now));
  return best && promiseOf(leg, best, now);
}

async function eligibleSites(
  { database, settings }: FlowContext,
  { execution, predecessors }: Leg,
  legs: readonly Leg[],
  taken: ReadonlySet<string>,
  now: number,
): Promise<SiteRow[]> {
  const { processors, walltimeSeconds, queue } = execution;
  const request = { processors, walltimeSeconds, queue, deadlineAt: null };
  const allowed = new Set(execution.allowedSiteIds);
  const inUse = legs.filter((leg) => leg.execution.state !== 'ENDED').map((leg) => leg.execution.siteId);
  const refused = [...predecessors, execution]
    .filter(({ outcome }) => outcome === 'REJECTED')
    .map(({ siteId }) => siteId);
  const out = new Set([...inUse, ...refused, ...taken]);
  return (await listSites(database.db)).filter((site) => {
    if (out.has(site.id) || (allowed.size > 0 && !allowed.has(site.id))) return false;
    return findIneligibility(request, asCandidate(site), now, settings.staleAfterSeconds) === null;
  });
}

/** The promises of that probability, or with null of the most that each site has, of the sites that make one. */
async function askAll(
  { forecaster }: FlowContext,
  { execution, reservation }: Leg,
  sites: readonly SiteRow[],
  probability: number | null,
  now: number,
): Promise<SubstituteOffer[]> {
  const { processors, walltimeSeconds, queue } = execution;
  const { startAt, mode, windowOpensAt, maxPaddingProcessorSeconds } = reservation;
  const terms = { processors, walltimeSeconds, startAt, mode, windowOpensAt, maxPaddingProcessorSeconds, probability };
  const request = { processors, walltimeSeconds, queue, deadlineAt: null };
  const asked = await Promise.all(
    sites.map(async (site) => {
      const facts = queueFor(request, asCandidate(site));
      const question = reservationQuestion(terms, facts, 0, now);
      const { offer, forecast } = await forecaster.offerReservation(site.id, question);
      return offer.kind === 'PROMISE' ? [{ site, queue: facts?.name ?? null, forecast, offer }] : [];
    }),
  );
  return asked.flat();
}

function mostProbable(offers: readonly SubstituteOffer[]): SubstituteOffer | null {
  return offers.toSorted((a, b) => b.offer.point.probability - a.offer.point.probability)[0] ?? null;
}

function promiseOf(leg: Leg, { site, queue, forecast, offer }: SubstituteOffer, now: number): NewPromise {
  const { execution, reservation } = leg;
  const { point, charge, trajectory } = offer;
  const { tenantId, principalId, requestId, name, script, arguments: args, processors, walltimeSeconds } = execution;
  const { coAllocationId, legId, mode, startAt, windowOpensAt, ifMissed, maxPaddingProcessorSeconds } = reservation;
  const promise = {
    siteId: site.id,
    siteName: site.name,
    queue,
    point,
    charge,
    probability: point.probability,
    forecast,
  };
  const padding = {
    worstPaddingProcessorSeconds: charge.worstPaddingProcessorSeconds,
    expectedPaddingProcessorSeconds: charge.expectedPaddingProcessorSeconds,
    maxPaddingProcessorSeconds,
  };
  const { queue: wantedQueue, allowedSiteIds } = execution;
  const work = { name, script, arguments: args, processors, walltimeSeconds, queue: wantedQueue, allowedSiteIds };
  return {
    request: { tenantId, principalId, requestId, ...work, deadlineAt: null, now },
    assignment: { siteId: site.id, siteQueue: queue, submitAt: point.submitAt },
    ...planAtSite(promise, execution, `in place of leg ${legId} that missed`, now),
    terms: {
      ...padding,
      coAllocationId,
      legId,
      mode,
      startAt,
      windowOpensAt,
      ifMissed,
      probability: point.probability,
      promisedProbability: point.probability,
      trajectory,
    },
  };
}

const MOST_SUBSTITUTES = 4;
