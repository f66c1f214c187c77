import { legsOfRule, type RuleTree } from '../domain/co-allocation.ts';
import type { SiteDependence } from '../domain/dependence.ts';
import { normalProbability } from '../stats/normal-probability.ts';
import { normalQuantile } from '../stats/normal-quantile.ts';
import { jointProbability } from './joint-probability.ts';

/**
 * The least probability that a rule is met, given how far the sites of its legs may depend on each other: the lowest of
 * that of independent legs, of legs that a common cause delays together, as strongly as the most dependent pair of
 * sites may be, and of legs of which some are early when the others are late, as strongly as the least dependent pair
 * may be. Both are one-factor Gaussian copulas, under which legs are independent once the common factor is given, so
 * the rule's exact probability is averaged over it. Never above the independent figure; with nothing measured, close to
 * the bounds of Frechet.
 *
 * Source: Vasicek, Probability of loss on loan portfolio, 1987 (one factor); Joe, Dependence Modeling with Copulas,
 * section 3.10.
 * @param probabilityOf a leg, within [0, 1]
 * @param dependences of every pair of sites that the legs run at; none for a single site
 */
export function pessimisticJointProbability(
  rule: RuleTree,
  probabilityOf: (legId: string) => number,
  dependences: readonly Pick<SiteDependence, 'lowest' | 'highest'>[],
): number {
  const legs = legsOfRule(rule).filter((legId) => probabilityOf(legId) > 0);
  const together = Math.max(0, ...dependences.map(({ highest }) => highest));
  const apart = Math.max(0, ...dependences.map(({ lowest }) => -lowest));
  const joint = (correlation: number, signs: readonly number[]) =>
    averageOverFactor(rule, probabilityOf, new Map(legs.map((legId, i) => [legId, signs[i] ?? 1])), correlation);
  const independent = jointProbability(rule, probabilityOf);
  const opposed = apart > 0 ? signsOf(legs.length).map((signs) => joint(apart, signs)) : [];
  return Math.min(independent, together > 0 ? joint(together, []) : 1, ...opposed);
}

/** The rule's probability when every leg's normal score has this correlation with the others', up to its sign. */
function averageOverFactor(
  rule: RuleTree,
  probabilityOf: (legId: string) => number,
  signs: ReadonlyMap<string, number>,
  correlation: number,
): number {
  const bounded = Math.min(STRONGEST, correlation);
  const loading = Math.sqrt(bounded);
  const spread = Math.sqrt(1 - bounded);
  const thresholds = new Map([...signs.keys()].map((legId) => [legId, normalQuantile(probabilityOf(legId))]));
  let sum = 0;
  let weights = 0;
  for (let factor = -REACH; factor <= REACH; factor += STEP) {
    const given = (legId: string) => {
      const sign = signs.get(legId);
      return sign === undefined
        ? 0
        : normalProbability(((thresholds.get(legId) ?? 0) + sign * loading * factor) / spread);
    };
    const weight = Math.exp(-0.5 * factor * factor);
    sum += weight * jointProbability(rule, given);
    weights += weight;
  }
  return sum / weights;
}

/**
 * Ways to set some legs against the others, the first leg's side being of no matter; by turns only where there are too
 * many.
 */
function signsOf(legs: number): number[][] {
  if (legs < 2) return [];
  if (legs > MOST_LEGS_TRIED) return [Array.from({ length: legs }, (_, i) => (i % 2 === 0 ? 1 : -1))];
  return Array.from({ length: 2 ** (legs - 1) - 1 }, (_, way) =>
    Array.from({ length: legs }, (_, i) => (i > 0 && ((way + 1) >> (i - 1)) % 2 === 1 ? -1 : 1)),
  );
}

/** The copula of complete dependence is approached, not reached. */
const STRONGEST = 0.99;
/**
 * The trapezoid rule is exact to many digits on a normal density; so fine because the strongest dependence makes steep
 * steps.
 */
const REACH = 6;
const STEP = 0.05;
const MOST_LEGS_TRIED = 6;
