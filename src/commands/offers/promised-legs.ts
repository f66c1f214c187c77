import { anyOf, type RuleGroup, replaceLegs } from '../../domain/co-allocation.ts';
import { invariant } from '../../domain/failures.ts';
import type { AnsweredLeg } from '../../forecast/forecaster.ts';
import { COPY_MARK } from '../input/co-allocation-terms.ts';
import type { EligibleSite } from './eligible-sites.ts';
import type { LegChoice } from './leg-choices.ts';

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
 * The legs under names of their own, and the rule over these names. A leg that was not worth its charge keeps its place
 * in the rule.
 */
export function promisedLegs(
  rule: RuleGroup,
  choices: readonly LegChoice[],
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
    const { site, candidate, queue } = choice;
    const { point, charge } = planned;
    return { site, candidate, queue, legId: nameOf(leg), partId, point, charge, trajectory, forecast, others };
  });
  const ruleOverLegs = replaceLegs(rule, (part) => {
    const names = copiesOf(part).map(nameOf);
    return names.length === 0 ? { legId: part } : anyOf(names);
  });
  return { rule: ruleOverLegs, legs };
}
