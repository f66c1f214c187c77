import type { ReservationOffer } from '../../../domain/reservation-offer.ts';
import type { ReservationAnswer, ReservationQuestion } from '../../../forecast/forecaster.ts';
import { loadMargins } from '../../../forecast/margins.ts';
import { questionAt } from '../../../forecast/reservation-question.ts';
import { type PromiseAtSite } from '../../../forecast/site-plan.ts';
import { expectedCharge } from '../../../plan/charge.ts';
import { findIneligibility } from '../../../plan/job/ineligible.ts';
import { queueFor } from '../../../plan/job/options.ts';
import { type ExecutionRow, readProgram } from '../../../store/executions.ts';
import { resourcesOf, siteRequestsOf } from '../../../store/plan-requests.ts';
import type { ReservationRow } from '../../../store/reservations.ts';
import { asCandidate, listAllowedSites, type SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import { standingOf } from '../refusals/refusals.ts';

/** A promise of another site for a job that was promised before. */
export interface OfferElsewhere extends Pick<ReservationAnswer, 'forecast' | 'others'> {
  readonly site: SiteRow;
  readonly queue: string | null;
  readonly offer: Extract<ReservationOffer, { kind: 'PROMISE' }>;
}

/** A job and the promise it keeps. */
export interface PromisedJob {
  readonly execution: ExecutionRow;
  readonly reservation: ReservationRow;
}

/**
 * What other sites promise of a job: that probability, least expected charge first, or with null the most that each
 * has, most probable first. Sites that its caller does not allow are not asked.
 * @param out sites that are out of the question
 * @param submitAt the first moment at which it could be submitted there; now unless told
 */
export async function findOffersElsewhere(
  context: FlowContext,
  job: PromisedJob,
  out: ReadonlySet<string | null>,
  probability: number | null,
  now: number,
  submitAt = now,
): Promise<OfferElsewhere[]> {
  const { processors, walltimeSeconds, queue, requiredTags } = job.execution;
  const { startAt } = job.reservation;
  const size = { processors, walltimeSeconds, resources: resourcesOf(job.execution) };
  const asks = { ...size, queue, ...siteRequestsOf(job.execution) };
  const request = { ...asks, requiredTags, deadlineAt: null, startAt };
  const standing = await standingOf(context, job.execution, now);
  const sites = (await listAllowedSites(context.database.db, job.execution)).filter((site) => {
    if (out.has(site.id)) return false;
    return findIneligibility(request, asCandidate(site, standing), now, context.settings.staleAfterSeconds) === null;
  });
  const program = await readProgram(context.database.db, job.execution);
  const asked = { ...job, program, standing };
  const offers = await Promise.all(sites.map((site) => askSite(context, asked, site, probability, submitAt)));
  const made = offers.filter((offer) => offer !== null);
  return probability === null
    ? made.sort((a, b) => b.offer.point.probability - a.offer.point.probability)
    : made.sort((a, b) => expectedCharge(a.offer.charge) - expectedCharge(b.offer.charge));
}

/** An offer as a plan describes it. */
export function asPromise(
  { site, queue, forecast, others, offer }: OfferElsewhere,
  probability: number,
): PromiseAtSite {
  const { point, charge } = offer;
  return { siteId: site.id, siteName: site.name, queue, point, charge, probability, forecast, others };
}

async function askSite(
  { database, forecaster }: FlowContext,
  {
    execution,
    reservation,
    program,
    standing,
  }: PromisedJob & Pick<ReservationQuestion, 'program'> & { standing: Awaited<ReturnType<typeof standingOf>> },
  site: SiteRow,
  probability: number | null,
  submitAt: number,
): Promise<OfferElsewhere | null> {
  const { processors, walltimeSeconds, queue } = execution;
  const candidate = asCandidate(site, standing);
  const request = { processors, resources: resourcesOf(execution) };
  const facts = queueFor({ queue, ...request, ...siteRequestsOf(execution) }, candidate);
  const terms = { ...reservation, ...request, walltimeSeconds, probability, program };
  const margins = await loadMargins(database.db, site.id);
  const marginOf = reservation.coAllocationId === null ? margins.alone : margins.ofLeg;
  const margin = probability === null ? 0 : marginOf(probability);
  const question = questionAt(terms, facts, candidate, margin, submitAt);
  const { offer, ...forecasts } = await forecaster.offerReservation(site.id, question);
  return offer.kind === 'PROMISE' ? { site, queue: facts?.name ?? null, offer, ...forecasts } : null;
}
