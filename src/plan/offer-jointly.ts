import type { SiteDependence } from '../domain/dependence.ts';
import type { Steps } from '../domain/steps.ts';
import {
  type AssignmentOffer,
  type AssignmentPromise,
  type AssignmentRefusal,
  assignmentSteps,
} from './assign-sites.ts';
import type { AssignmentInput } from './assignment.ts';
import type { PlannedLeg } from './co-allocate.ts';
import { pessimisticJointProbability } from './pessimistic-joint-probability.ts';

/** A co-allocation of parts for which sites are to be found, that may depend on each other. */
export interface JointInput extends AssignmentInput {
  /**
   * Wanted probability that the rule is met however the sites may depend on each other, within (0, 1); null for any.
   */
  readonly minimumPessimisticProbability: number | null;
  /** Of two different sites. */
  readonly dependenceOf: (siteId: string, otherSiteId: string) => SiteDependence;
}

/**
 * How probable a rule is at least, given how far the sites of its legs may depend on each other, and what that rests
 * on.
 */
export interface PessimisticFigure {
  readonly probability: number;
  /** Spans of time with outcomes at both of two sites, for those two that have the fewest; null for a single site. */
  readonly pairedObservations: number | null;
}

/** A promise, or a refusal with the legs that come closest. */
export type JointOffer =
  | (AssignmentPromise & { readonly pessimistic: PessimisticFigure })
  | (AssignmentRefusal & { readonly pessimistic: PessimisticFigure; readonly unmet: UnmetTerm });

/** The term of a co-allocation that no sites reach. */
export type UnmetTerm = 'probability' | 'minimumPessimisticProbability';

/**
 * Offers sites for the parts that meet the rule with the wanted probability at low expected charge, and says what is
 * left of that probability in the worst case of dependence. Where that is less than wanted it asks for more joint
 * probability, no more of it than needed, or refuses with the most that is left.
 */
export function* jointSteps(input: JointInput): Steps<JointOffer> {
  const cheapest = yield* assignmentSteps(input);
  const pessimistic = pessimisticFigure(input, cheapest);
  if (cheapest.kind === 'REFUSAL') return { ...cheapest, pessimistic, unmet: 'probability' };
  const minimum = input.minimumPessimisticProbability;
  if (minimum === null || pessimistic.probability >= minimum) return { ...cheapest, pessimistic };
  return yield* offerSurer(input, minimum, { ...cheapest, pessimistic });
}

type JudgedPromise = Extract<JointOffer, { kind: 'PROMISE' }>;

function* offerSurer(input: JointInput, minimum: number, cheapest: JudgedPromise): Steps<JointOffer> {
  let [low, high] = [cheapest.jointProbability, yield* highestJoint(input)];
  let best = (yield* promiseOf(input, high)) ?? cheapest;
  if (best.pessimistic.probability < minimum) {
    return refusal(minimum, best.pessimistic.probability > cheapest.pessimistic.probability ? best : cheapest);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    const offer = yield* promiseOf(input, middle);
    if (offer && offer.pessimistic.probability >= minimum) [best, high] = [offer, middle];
    else low = middle;
  }
  return best;
}

function* highestJoint(input: JointInput): Steps<number> {
  const offer = yield* assignmentSteps({ ...input, probability: OUT_OF_REACH });
  return offer.kind === 'REFUSAL' ? offer.bestJointProbability : offer.jointProbability;
}

function* promiseOf(input: JointInput, probability: number): Steps<JudgedPromise | null> {
  const offer = yield* assignmentSteps({ ...input, probability });
  return offer.kind === 'REFUSAL' ? null : { ...offer, pessimistic: pessimisticFigure(input, offer) };
}

function refusal(minimum: number, best: JudgedPromise): JointOffer {
  const { rule, legs, jointProbability, pessimistic } = best;
  const { probability, pairedObservations } = pessimistic;
  const rests = pairedObservations === null ? '' : `, by ${pairedObservations} paired observations of its sites`;
  const reason = `a pessimistic probability of ${minimum} is not on offer; the best is ${probability.toFixed(4)}${rests}`;
  const figures = { bestJointProbability: jointProbability, pessimistic };
  return { kind: 'REFUSAL', reason, rule, legs, ...figures, unmet: 'minimumPessimisticProbability' };
}

function pessimisticFigure(input: JointInput, { rule, legs }: AssignmentOffer): PessimisticFigure {
  const dependences = dependencesOf(input, legs);
  const probabilities = new Map(legs.map(({ legId, point }) => [legId, point.probability]));
  return {
    probability: pessimisticJointProbability(rule, (legId) => probabilities.get(legId) ?? 0, dependences),
    pairedObservations: dependences.length === 0 ? null : Math.min(...dependences.map(({ pairs }) => pairs)),
  };
}

/** Of every two sites that the legs use. */
function dependencesOf(
  { candidates, dependenceOf }: JointInput,
  legs: readonly Pick<PlannedLeg, 'legId'>[],
): SiteDependence[] {
  const asked = new Set(legs.map(({ legId }) => legId));
  const sites = candidates.filter(({ legId }) => asked.has(legId)).map(({ siteId }) => siteId);
  return sites.flatMap((site, i) => sites.slice(i + 1).map((other) => dependenceOf(site, other)));
}

const OUT_OF_REACH = 1 - 1e-12;
const ROUNDS = 5;
