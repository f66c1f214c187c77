import type { EpochSeconds } from '../../domain/clock.ts';
import type { RuleGroup } from '../../domain/co-allocation.ts';
import { CallerError } from '../../domain/failures.ts';
import { sitesSuffice } from '../../plan/most-probable-assignment.ts';
import type { PessimisticFigure } from '../../plan/offer-jointly.ts';
import type { CappedJointOffer, DearPart } from '../../plan/offer-within-caps.ts';
import type { Principal } from '../../store/principals.ts';
import { loadStanding } from '../../store/standing.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { CoAllocationTerms } from '../input/co-allocation-terms.ts';
import { choicesOf } from './leg-choices.ts';
import { promisableBySite, questionsOf } from './leg-questions.ts';
import { type PromisedLeg, promisedLegs } from './promised-legs.ts';

/** How probable it is that the rule is met: for independent sites, and at least. */
export interface JointFigures {
  readonly jointProbability: number;
  readonly pessimistic: PessimisticFigure;
}

/**
 * The least charged joint promise that was found, over a rule in which a leg at several sites is any of them; or the
 * best on offer.
 */
export type GroupOffer =
  | (JointFigures & { readonly kind: 'PROMISE'; readonly rule: RuleGroup; readonly legs: readonly PromisedLeg[] })
  | (JointFigures & JointRefusal);

/** Why there is no joint promise. */
export type JointRefusal = Pick<Extract<CappedJointOffer, { kind: 'REFUSAL' }>, 'kind' | 'reason'> &
  (
    | { readonly unmet: 'probability' | 'minimumPessimisticProbability' }
    | { readonly unmet: 'maxPaddingProcessorSeconds'; readonly dearParts: readonly DearPart[] }
  );

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
): Promise<GroupOffer> {
  const standing = await loadStanding(context.database.db, tenantId, now);
  const eligible = await Promise.all(
    terms.legs.map((leg, index) => choicesOf(context, leg, terms.startAt, `input.legs[${index}]`, standing, now)),
  );
  const choices = eligible.flat();
  const { rule, probability, minimumPessimisticProbability = null, mostSitesPerLeg: mostSitesPerPart = 1 } = terms;
  const candidates = questionsOf(choices, terms, await promisableBySite(context, choices), now);
  const group = { rule, probability, minimumPessimisticProbability, mostSitesPerPart, now };
  const { offer, legs } = await context.forecaster.offerCoAllocation({ ...group, candidates });
  const { pessimistic } = offer;
  if (offer.kind === 'REFUSAL') {
    const { bestJointProbability: jointProbability } = offer;
    if (jointProbability === 0 && !sitesSuffice(rule, candidates)) throw tooFewSites(terms.legs.length);
    return { ...offer, jointProbability };
  }
  const { jointProbability } = offer;
  return { kind: 'PROMISE', jointProbability, pessimistic, ...promisedLegs(rule, choices, legs) };
}

function tooFewSites(legs: number): CallerError {
  const message = `the legs of a group go to different sites, and there are not enough for ${legs} legs`;
  return new CallerError('NO_ELIGIBLE_SITE', 'input.legs', message);
}
