import { type CoAllocationRule, legsNeeded } from '../domain/co-allocation.ts';
import { probabilityOfAtLeast } from '../stats/poisson-binomial.ts';

/**
 * Probability that a co-allocation's rule is met when its legs start in time independently of each other: the product for ALL,
 * 1 - prod(1 - p) for ANY, the Poisson binomial's upper tail for AT_LEAST. Source: nurmi-varq, section 4.6.
 * @param probabilities of the legs, each within [0, 1]; 0 for a leg that is not asked for
 * @param atLeast needed with rule AT_LEAST
 */
export function jointProbability(
  rule: CoAllocationRule,
  probabilities: readonly number[],
  atLeast: number | null,
): number {
  return probabilityOfAtLeast(legsNeeded(rule, probabilities.length, atLeast), probabilities);
}
