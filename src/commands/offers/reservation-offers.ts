import type { EpochSeconds } from '../../domain/clock.ts';
import type { SizedRequest } from '../../domain/node-placement.ts';
import type { TrajectoryPoint } from '../../domain/plan.ts';
import type { ReservationOffer } from '../../domain/reservation-offer.ts';
import type { ReservationAnswer } from '../../forecast/forecaster.ts';
import { loadMargins, worthAsPromise } from '../../forecast/margins.ts';
import { questionAt, type ReservationTerms } from '../../forecast/reservation-question.ts';
import { expectedCharge } from '../../plan/charge.ts';
import type { Principal } from '../../store/principals.ts';
import { loadStanding } from '../../store/standing.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { Placement } from '../input/placement.ts';
import { type SizeInput, type StatedProgram, toProgram } from '../input/work-input.ts';
import { allowedSites, type EligibleSite, type IneligibleSite, noEligibleSite, sortOut } from './eligible-sites.ts';

/** The terms of a reservation and where they may be promised. */
export interface ReservationRequest extends SizeInput, Placement, Omit<ReservationTerms, 'program'>, StatedProgram {
  /** Wanted probability of running at `startAt`, within (0, 1). */
  readonly probability: number;
}

/** What one site answers to the terms. */
export interface SiteOffer extends EligibleSite {
  readonly answer: ReservationAnswer;
  /** What it promises, or where it refuses the highest promise it would make; 0 when there is none. */
  readonly promisable: number;
}

/** A site's answer that is a promise. */
export type SitePromise = SiteOffer & { readonly offer: Extract<ReservationOffer, { kind: 'PROMISE' }> };

/** The most that is on offer where no site reaches the probability asked for. */
export interface BestOffer {
  readonly siteId: string;
  readonly siteName: string;
  /** The highest promise that site would make. */
  readonly probability: number;
  readonly point: TrajectoryPoint;
}

/** Every allowed site's answer, and the one to take. */
export interface ReservationOffers {
  readonly offers: readonly SiteOffer[];
  readonly ineligible: readonly IneligibleSite[];
  /** The promise with the least expected charge; null when every site refuses. */
  readonly promise: SitePromise | null;
  /** The most probable point of those that refuse; null when there is none. */
  readonly best: BestOffer | null;
}

/**
 * Asks every eligible site's forecast for a promise. Changes nothing.
 * @param path where the terms sit in the caller's input
 * @throws CallerError NOT_FOUND, NO_ELIGIBLE_SITE or STALE_SITE
 */
export async function gatherOffers(
  context: CommandContext,
  { tenantId }: Principal,
  terms: ReservationRequest,
  path: string,
  now: EpochSeconds,
): Promise<ReservationOffers> {
  const sites = await allowedSites(context.database.db, terms, path);
  const standing = await loadStanding(context.database.db, tenantId, now);
  const { eligible, ineligible } = sortOut(sites, terms, standing, now, context.limits.staleAfterSeconds);
  if (eligible.length === 0) throw noEligibleSite(ineligible, path);
  const asked = { ...terms, ...toProgram(terms) };
  const offers = await Promise.all(eligible.map((choice) => askSite(context, asked, choice, now)));
  return { offers, ineligible, promise: cheapestPromise(offers), best: mostProbableRefusal(offers) };
}

async function askSite(
  { database, forecaster }: CommandContext,
  terms: ReservationTerms & SizedRequest & { readonly probability: number },
  choice: EligibleSite,
  now: EpochSeconds,
): Promise<SiteOffer> {
  const { id } = choice.site;
  const margin = (await loadMargins(database.db, id)).alone(terms.probability);
  const { candidate, queue } = choice;
  const answer = await forecaster.offerReservation(id, questionAt(terms, queue, candidate, margin, now));
  const { offer } = answer;
  const point = offer.kind === 'PROMISE' ? offer.point : offer.best;
  const isWithheld = offer.kind === 'REFUSAL' && offer.isWithheld;
  const forecast = isWithheld ? 0 : (point?.probability ?? 0);
  return { ...choice, answer, promisable: worthAsPromise(forecast, terms.probability, margin) };
}

function cheapestPromise(offers: readonly SiteOffer[]): SitePromise | null {
  const promises = offers.flatMap((made) => {
    const { offer } = made.answer;
    return offer.kind === 'PROMISE' ? [{ ...made, offer }] : [];
  });
  promises.sort(
    (a, b) => expectedCharge(a.offer.charge) - expectedCharge(b.offer.charge) || (a.site.name < b.site.name ? -1 : 1),
  );
  return promises[0] ?? null;
}

function mostProbableRefusal(offers: readonly SiteOffer[]): BestOffer | null {
  let best: BestOffer | null = null;
  for (const { site, answer, promisable } of offers) {
    const point = answer.offer.kind === 'REFUSAL' ? answer.offer.best : null;
    if (point && promisable > (best?.probability ?? -1)) {
      best = { siteId: site.id, siteName: site.name, probability: promisable, point };
    }
  }
  return best;
}
