import type { EpochSeconds } from '../../domain/clock.ts';
import { outsideRemark } from '../../domain/known-range.ts';
import type { Candidate, Plan } from '../../domain/plan.ts';
import { describePromise, forecastsAt } from '../../forecast/site-plan.ts';
import { expectedCharge } from '../../plan/charge.ts';
import { workCharge } from '../../plan/job/options.ts';
import { sizeAt } from '../../plan/job/size-at-site.ts';
import { runtimeAmong } from '../../predict/quantities.ts';
import type { MadeForecast } from '../../store/plans.ts';
import type { SizeInput } from '../input/work-input.ts';
import type { IneligibleSite } from './eligible-sites.ts';
import type { ReservationOffers, ReservationRequest, SiteOffer, SitePromise } from './reservation-offers.ts';

/** The plan of a promised reservation: every site's part in it, with the forecasts as they were made. */
export function reservationPlan(
  { offers, ineligible }: ReservationOffers,
  promise: SitePromise,
  terms: ReservationRequest,
  now: EpochSeconds,
): { plan: Plan; forecasts: MadeForecast[] } {
  const asked = offers.map((offer) => candidateOf(offer, promise, terms, now));
  const chosen = asked.find(({ siteId }) => siteId === promise.site.id) ?? null;
  const candidates = [...asked, ...ineligible.map((ruledOut) => ruledOutCandidate(ruledOut, terms, now))];
  const plan = { madeAt: now, chosen, submitAt: promise.offer.point.submitAt, candidates };
  return { plan, forecasts: offers.flatMap((offer) => madeForecasts(offer, terms)) };
}

/** A site that was never asked, in a plan. */
function ruledOutCandidate({ site, ineligibility }: IneligibleSite, size: SizeInput, now: EpochSeconds): Candidate {
  const { processors, walltimeSeconds } = size;
  return {
    siteId: site.id,
    siteName: site.name,
    queue: size.queue,
    processors,
    walltimeSeconds,
    submitAt: now,
    charge: workCharge(processors, walltimeSeconds),
    forecast: null,
    responseSeconds: null,
    costProcessorSeconds: processors * walltimeSeconds,
    lostBecause: ineligibility.reason,
    explanation: ineligibility.explanation,
  };
}

function candidateOf(offer: SiteOffer, winner: SitePromise, terms: ReservationRequest, now: EpochSeconds): Candidate {
  const { site, candidate, queue, answer } = offer;
  const isWinner = site.id === winner.site.id;
  const own = answer.offer;
  const size = sizeAt(terms, queue, candidate);
  const charge = own.kind === 'PROMISE' ? own.charge : workCharge(size.billedProcessors, terms.walltimeSeconds);
  const point = own.kind === 'PROMISE' ? own.point : own.best;
  const promises = (own: SitePromise['offer']) =>
    describePromise(offer.promisable, own.charge) + outsideRemark(answer.forecast?.outsideKnownRange);
  return {
    siteId: site.id,
    siteName: site.name,
    queue: queue?.name ?? null,
    processors: terms.processors,
    walltimeSeconds: point?.walltimeSeconds ?? terms.walltimeSeconds,
    submitAt: point?.submitAt ?? now,
    charge,
    forecast: answer.forecast,
    runtime: runtimeAmong(answer.others),
    responseSeconds: null,
    costProcessorSeconds: expectedCharge(charge),
    lostBecause: isWinner ? null : own.kind === 'PROMISE' ? 'COSTLIER' : 'NO_PROMISE',
    explanation: `${site.name} ${own.kind === 'PROMISE' ? promises(own) : `refuses: ${own.reason}`}`,
  };
}

function madeForecasts({ site, queue, answer }: SiteOffer, terms: ReservationRequest): MadeForecast[] {
  const point = answer.offer.kind === 'PROMISE' ? answer.offer.point : answer.offer.best;
  return point ? forecastsAt({ ...answer, siteId: site.id, queue: queue?.name ?? null, point }, terms) : [];
}
