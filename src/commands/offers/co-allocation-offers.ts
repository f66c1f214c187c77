import type { EpochSeconds } from '../../domain/clock.ts';
import { anyOf, type RuleGroup, replaceLegs } from '../../domain/co-allocation.ts';
import { CallerError, invariant } from '../../domain/failures.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { AnsweredLeg, PartQuestion } from '../../forecast/forecaster.ts';
import { loadMargins } from '../../forecast/margins.ts';
import { reservationQuestion } from '../../forecast/reservation-question.ts';
import { sitesSuffice } from '../../plan/most-probable-assignment.ts';
import type { PessimisticFigure } from '../../plan/offer-jointly.ts';
import type { CappedJointOffer, DearPart } from '../../plan/offer-within-caps.ts';
import { earliestSubmission } from '../../plan/unusable.ts';
import type { Principal } from '../../store/principals.ts';
import { listRefusals } from '../../store/refusals.ts';
import { asCandidate } from '../../store/sites.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { SizeInput } from '../input/work-input.ts';
import { allowedSites, type EligibleSite, noEligibleSite, sortOut } from './eligible-sites.ts';

/** The size of one leg, its name in the rule, and the sites that may take it; none for every site. */
export interface LegTerms extends SizeInput {
  readonly legId: string;
  readonly siteIds: readonly string[];
  /** Padding paid for it at most in the worst case; any unless told. */
  readonly maxPaddingProcessorSeconds?: number | null;
  /** The same on average. */
  readonly maxExpectedPaddingProcessorSeconds?: number | null;
}

/** The terms of a co-allocation: which legs have to run when, how many of them, and how surely. */
export interface CoAllocationTerms {
  /** Over the legs. */
  readonly rule: RuleGroup;
  readonly startAt: EpochSeconds;
  /** Wanted probability that the rule is met, within (0, 1). */
  readonly probability: number;
  /** The same in the worst case of dependence between the sites; any unless told. */
  readonly minimumPessimisticProbability?: number | null;
  /** At most as many sites for one leg, of which the first to start wins; one unless told. */
  readonly mostSitesPerLeg?: number;
  readonly legs: readonly LegTerms[];
}

/** How probable it is that the rule is met: for independent sites, and at least. */
export interface JointFigures {
  readonly jointProbability: number;
  readonly pessimistic: PessimisticFigure;
}

/** A leg that is part of a joint promise, at one site. */
export interface PromisedLeg extends EligibleSite, Pick<AnsweredLeg, 'trajectory' | 'forecast' | 'others'> {
  /** Its name in the rule of the promise. */
  readonly legId: string;
  /** The leg that its caller knows. */
  readonly partId: string;
  readonly point: AnsweredLeg['planned']['point'];
  readonly charge: AnsweredLeg['planned']['charge'];
}

/**
 * The least charged joint promise that was found, over a rule in which a leg at several sites is any of them; or the
 * best on offer.
 */
export type JointOffer =
  | (JointFigures & { readonly kind: 'PROMISE'; readonly rule: RuleGroup; readonly legs: readonly PromisedLeg[] })
  | (JointFigures & JointRefusal);

/** Why there is no joint promise. */
export type JointRefusal = Pick<Extract<CappedJointOffer, { kind: 'REFUSAL' }>, 'kind' | 'reason'> &
  (
    | { readonly unmet: 'probability' | 'minimumPessimisticProbability' }
    | { readonly unmet: 'maxPaddingProcessorSeconds'; readonly dearParts: readonly DearPart[] }
  );

/** A leg and a site that may take it. */
interface Choice extends EligibleSite {
  readonly leg: LegTerms;
}

/**
 * Asks the forecasts of the eligible sites for a joint promise. Changes nothing. Of more than two dozen eligible sites
 * the largest machines are asked.
 * @throws CallerError NOT_FOUND, NO_ELIGIBLE_SITE or STALE_SITE
 */
export async function gatherJointOffer(
  context: CommandContext,
  { tenantId }: Principal,
  terms: CoAllocationTerms,
  now: EpochSeconds,
): Promise<JointOffer> {
  const refusals = await listRefusals(context.database.db, tenantId, now);
  const eligible = await Promise.all(
    terms.legs.map((leg, index) => choicesOf(context, leg, terms.startAt, `input.legs[${index}]`, refusals, now)),
  );
  const choices = eligible.flat();
  const { rule, probability, minimumPessimisticProbability = null, mostSitesPerLeg: mostSitesPerPart = 1 } = terms;
  const candidates = questionsOf(choices, terms, await marginsOf(context, choices, probability), now);
  const group = { rule, probability, minimumPessimisticProbability, mostSitesPerPart, now };
  const { offer, legs } = await context.forecaster.offerCoAllocation({ ...group, candidates });
  const { pessimistic } = offer;
  if (offer.kind === 'REFUSAL') {
    const { bestJointProbability: jointProbability } = offer;
    if (jointProbability === 0 && !sitesSuffice(rule, candidates)) throw tooFewSites(terms.legs.length);
    return { ...offer, jointProbability };
  }
  const { jointProbability } = offer;
  return { kind: 'PROMISE', jointProbability, pessimistic, ...promised(rule, choices, legs) };
}

async function choicesOf(
  { database, limits }: CommandContext,
  leg: LegTerms,
  startAt: EpochSeconds,
  path: string,
  refusals: readonly Refusal[],
  now: EpochSeconds,
): Promise<Choice[]> {
  const sites = await allowedSites(database.db, leg.siteIds, path);
  const { eligible, ineligible } = sortOut(sites, { ...leg, startAt }, refusals, now, limits.staleAfterSeconds);
  if (eligible.length === 0) throw noEligibleSite(ineligible, path);
  return eligible
    .sort((a, b) => b.site.processors - a.site.processors)
    .slice(0, MOST_SITES_ASKED)
    .map((choice) => ({ ...choice, leg }));
}

function tooFewSites(legs: number): CallerError {
  const message = `the legs of a group go to different sites, and there are not enough for ${legs} legs`;
  return new CallerError('NO_ELIGIBLE_SITE', 'input.legs', message);
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

function questionsOf(
  choices: readonly Choice[],
  { startAt, probability }: CoAllocationTerms,
  margins: ReadonlyMap<string, number>,
  now: EpochSeconds,
): PartQuestion[] {
  const common = { startAt, probability, mode: 'HOLD', windowOpensAt: null } as const;
  return choices.map(({ leg, queue, site }) => {
    const { processors } = leg;
    const firstAt = earliestSubmission({ processors, startAt, queue: queue?.name ?? null }, asCandidate(site), now);
    const { maxPaddingProcessorSeconds = null } = leg;
    const cap = { maxPaddingProcessorSeconds };
    const question = reservationQuestion({ ...leg, ...common, ...cap }, queue, margins.get(site.id) ?? 0, firstAt);
    return { partId: leg.legId, siteId: site.id, leg: question };
  });
}

/**
 * The legs under names of their own, and the rule over these names. A leg that was not worth its charge keeps its place
 * in the rule.
 */
function promised(
  rule: RuleGroup,
  choices: readonly Choice[],
  answered: readonly AnsweredLeg[],
): { rule: RuleGroup; legs: PromisedLeg[] } {
  const copiesOf = (part: string) => answered.filter(({ partId }) => partId === part);
  const nameOf = (leg: AnsweredLeg) => {
    const copies = copiesOf(leg.partId);
    return copies.length === 1 ? leg.partId : `${leg.partId}${COPY_MARK}${copies.indexOf(leg) + 1}`;
  };
  const legs = answered.map((leg) => {
    const { partId, siteId, planned, trajectory, forecast, others } = leg;
    const choice = choices.find((one) => one.leg.legId === partId && one.site.id === siteId);
    invariant(choice, `the joint offer has an unknown leg ${partId} at site ${siteId}`);
    const { site, queue } = choice;
    const { point, charge } = planned;
    return { site, queue, legId: nameOf(leg), partId, point, charge, trajectory, forecast, others };
  });
  const ruleOverLegs = replaceLegs(rule, (part) => {
    const names = copiesOf(part).map(nameOf);
    return names.length === 0 ? { legId: part } : anyOf(names);
  });
  return { rule: ruleOverLegs, legs };
}

/** Between a leg's name and the number of the site, where it is tried at several. */
export const COPY_MARK = '#';
const MOST_SITES_ASKED = 24;
