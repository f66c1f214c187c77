import type { EpochSeconds } from '../domain/clock.ts';
import type { RuleGroup } from '../domain/co-allocation.ts';
import { CallerError, invariant } from '../domain/failures.ts';
import type { CoAllocationAnswer } from '../forecast/forecaster.ts';
import { loadMargins } from '../forecast/margins.ts';
import { reservationQuestion } from '../forecast/reservation-question.ts';
import { expectedCharge } from '../plan/charge.ts';
import type { PlannedLeg } from '../plan/co-allocate.ts';
import { type Assignment, assignLegs } from './assign-legs.ts';
import type { CommandContext } from './context.ts';
import { allowedSites, type EligibleSite, noEligibleSite, sortOut } from './eligible-sites.ts';
import type { SizeInput } from './work-input.ts';

/** The size of one leg, its name in the rule, and the sites that may take it; none for every site. */
export interface LegTerms extends SizeInput {
  readonly legId: string;
  readonly siteIds: readonly string[];
}

/** The terms of a co-allocation: which legs have to run when, how many of them, and how surely. */
export interface CoAllocationTerms {
  /** Over the legs. */
  readonly rule: RuleGroup;
  readonly startAt: EpochSeconds;
  /** Wanted probability that the rule is met, within (0, 1). */
  readonly probability: number;
  readonly legs: readonly LegTerms[];
}

/** A leg that is part of a joint promise. */
export interface PromisedLeg extends EligibleSite {
  readonly planned: PlannedLeg;
  readonly answer: CoAllocationAnswer['legs'][string];
}

/** The least charged joint promise over all ways to give every leg a site of its own, or the best that is on offer. */
export type JointOffer =
  | { readonly kind: 'PROMISE'; readonly jointProbability: number; readonly legs: readonly PromisedLeg[] }
  | { readonly kind: 'REFUSAL'; readonly bestJointProbability: number; readonly reason: string };

/**
 * Asks the forecasts of the eligible sites for a joint promise. Changes nothing. Where there are more than a few dozen ways to
 * give the legs their sites, those with the largest machines are tried.
 * @throws CallerError NOT_FOUND, NO_ELIGIBLE_SITE or STALE_SITE
 */
export async function gatherJointOffer(
  context: CommandContext,
  terms: CoAllocationTerms,
  now: EpochSeconds,
): Promise<JointOffer> {
  const choices = await Promise.all(
    terms.legs.map((leg, index) => eligibleForLeg(context, leg, `input.legs[${index}]`, now)),
  );
  const assignments = assignLegs(
    choices.map((sites) => sites.map(({ site }) => site.id)),
    MOST_ASSIGNMENTS,
  );
  if (assignments.length === 0) {
    const message = `the legs of a group go to different sites, and there are not enough for ${terms.legs.length} legs`;
    throw new CallerError('NO_ELIGIBLE_SITE', 'input.legs', message);
  }
  const margins = await marginsOf(context, choices.flat(), terms.probability);
  const offers = await Promise.all(
    assignments.map((assignment) => askJointly(context, terms, choicesOf(choices, assignment), margins, now)),
  );
  return bestJointOffer(offers);
}

async function eligibleForLeg(
  { database, limits }: CommandContext,
  leg: LegTerms,
  path: string,
  now: EpochSeconds,
): Promise<EligibleSite[]> {
  const sites = await allowedSites(database.db, leg.siteIds, path);
  const { eligible, ineligible } = sortOut(sites, leg, now, limits.staleAfterSeconds);
  if (eligible.length === 0) throw noEligibleSite(ineligible, path);
  return eligible.sort((a, b) => b.site.processors - a.site.processors);
}

/** How far above a promise to aim, by site. */
async function marginsOf(
  { database }: CommandContext,
  choices: readonly EligibleSite[],
  probability: number,
): Promise<ReadonlyMap<string, number>> {
  const siteIds = [...new Set(choices.map(({ site }) => site.id))];
  const margins = siteIds.map(async (id) => [id, (await loadMargins(database.db, id))(probability)] as const);
  return new Map(await Promise.all(margins));
}

function choicesOf(choices: readonly (readonly EligibleSite[])[], assignment: Assignment): EligibleSite[] {
  return assignment.map((siteId, leg) => {
    const choice = choices[leg]?.find(({ site }) => site.id === siteId);
    invariant(choice, `leg ${leg} has no site ${siteId}`);
    return choice;
  });
}

async function askJointly(
  { forecaster }: CommandContext,
  terms: CoAllocationTerms,
  sites: readonly EligibleSite[],
  margins: ReadonlyMap<string, number>,
  now: EpochSeconds,
): Promise<JointOffer> {
  const { rule, probability, startAt } = terms;
  const common = { startAt, probability, mode: 'HOLD', windowOpensAt: null, maxPaddingProcessorSeconds: null } as const;
  const choiceOf = new Map(terms.legs.map(({ legId }, index) => [legId, sites[index]]));
  const legs = terms.legs.map((leg) => {
    const choice = choiceOf.get(leg.legId);
    invariant(choice, `leg ${leg.legId} has no site`);
    const margin = margins.get(choice.site.id) ?? 0;
    const question = reservationQuestion({ ...leg, ...common }, choice.queue, margin, now);
    return { legId: leg.legId, siteId: choice.site.id, leg: question };
  });
  const { offer, legs: answers } = await forecaster.offerCoAllocation({ rule, probability, legs });
  if (offer.kind === 'REFUSAL') return offer;
  return {
    kind: 'PROMISE',
    jointProbability: offer.jointProbability,
    legs: offer.legs.map((planned) => {
      const [choice, answer] = [choiceOf.get(planned.legId), answers[planned.legId]];
      invariant(choice && answer, `the joint offer has an unknown leg ${planned.legId}`);
      return { ...choice, planned, answer };
    }),
  };
}

function bestJointOffer(offers: readonly JointOffer[]): JointOffer {
  const best = offers.reduce((a, b) => (isBetter(b, a) ? b : a));
  return best;
}

function isBetter(a: JointOffer, b: JointOffer): boolean {
  if (a.kind === 'PROMISE') return b.kind === 'REFUSAL' || chargeOf(a) < chargeOf(b);
  return b.kind === 'REFUSAL' && a.bestJointProbability > b.bestJointProbability;
}

function chargeOf({ legs }: Extract<JointOffer, { kind: 'PROMISE' }>): number {
  return legs.reduce((sum, { planned }) => sum + expectedCharge(planned.charge), 0);
}

const MOST_ASSIGNMENTS = 60;
