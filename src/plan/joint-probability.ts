import { membersNeeded, type RuleTree } from '../domain/co-allocation.ts';
import { probabilityOfAtLeast } from '../stats/poisson-binomial.ts';

/**
 * Probability that a co-allocation's rule is met when its legs start in time independently of each other: at every
 * group the Poisson binomial's upper tail over its members (the product for ALL, 1 - prod(1 - p) for ANY). Exact, as no
 * leg is named twice, so the members of a group are independent. Source: nurmi-varq, section 4.6.
 * @param probabilityOf a leg, within [0, 1]; 0 for one that is not asked for
 */
export function jointProbability(rule: RuleTree, probabilityOf: (legId: string) => number): number {
  if ('legId' in rule) return probabilityOf(rule.legId);
  const members = rule.members.map((member) => jointProbability(member, probabilityOf));
  return probabilityOfAtLeast(membersNeeded(rule), members);
}
