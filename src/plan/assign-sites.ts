import { anyOf, type RuleTree, replaceLegs } from '../domain/co-allocation.ts';
import { finish, type Steps } from '../domain/steps.ts';
import { type AssignmentInput, changesOf, type PartCandidate } from './assignment.ts';
import { expectedCharge } from './charge.ts';
import { type CoAllocationOffer, offerCoAllocation, type PlannedLeg, refusalReason } from './co-allocate.ts';
import { mostProbableSteps } from './most-probable-assignment.ts';
import { mostProbablePoint } from './trajectory.ts';

/** The offer over the legs that it asks for. Its rule has each part met by any of its legs. */
export type AssignmentOffer = AssignmentPromise | AssignmentRefusal;
export type AssignmentPromise = Extract<CoAllocationOffer, { kind: 'PROMISE' }> & { readonly rule: RuleTree };

/** With the legs that come closest. */
export type AssignmentRefusal = Extract<CoAllocationOffer, { kind: 'REFUSAL' }> & {
  readonly rule: RuleTree;
  readonly legs: readonly Pick<PlannedLeg, 'legId' | 'point'>[];
};

/**
 * Gives the parts of a co-allocation their sites, one or several for each and every site at most once, with submission
 * times, so that the rule is met with the wanted probability at low expected charge; or refuses with the best joint
 * probability on offer. It begins with the most probable assignment, leaves out what is not worth its charge, and then
 * adds, moves and exchanges sites as long as that is cheaper: the charge is not guaranteed to be the least.
 *
 * Source: nurmi-varq, section 4.6 ("either-or" against the decay of co-allocation).
 */
export function assignSites(input: AssignmentInput): AssignmentOffer {
  return finish(assignmentSteps(input));
}

/** The same, a few assignments at a step. */
export function* assignmentSteps(input: AssignmentInput): Steps<AssignmentOffer> {
  const coarse = withFewPoints(input, COARSE_POINTS);
  const first = offerFor(coarse, yield* mostProbableSteps(coarse));
  if (first.kind === 'REFUSAL') return first;
  let best = first;
  // What one try takes grows with the square of the legs at least.
  const mostTries = Math.ceil(MOST_TRIES / Math.max(1, first.legs.length / 4) ** 2);
  for (let tries = 0; tries < mostTries; ) {
    const cheaper = yield* findCheaper(coarse, best, mostTries - tries);
    if (!cheaper.offer) break;
    best = cheaper.offer;
    tries += cheaper.tries;
  }
  return offerFor(withFewPoints(input, Math.max(COARSE_POINTS, Math.floor(FINE_POINTS / best.legs.length))), best.legs);
}

function withFewPoints(input: AssignmentInput, most: number): AssignmentInput {
  return { ...input, candidates: input.candidates.map((candidate) => withPoints(candidate, most)) };
}

/** The candidate with some of its probabilities, spread evenly, the highest among them. */
function withPoints(candidate: PartCandidate, most: number): PartCandidate {
  const latest = new Map(candidate.trajectory.map((point) => [point.probability, point]));
  const points = [...latest.values()].sort((a, b) => b.probability - a.probability);
  const step = Math.ceil(points.length / most);
  const trajectory = points.filter((_, i) => i % step === 0).sort((a, b) => a.submitAt - b.submitAt);
  return { ...candidate, trajectory };
}

/** Offers to meet the rule by some of these legs alone. */
function offerFor(input: AssignmentInput, allowed: readonly { readonly legId: string }[]): AssignmentOffer {
  const { rule, probability } = input;
  const legs = pick(input, allowed);
  const overLegs = ruleOverLegs(rule, legs);
  const offer = offerCoAllocation({ legs, rule: overLegs, probability });
  if (offer.kind === 'PROMISE') return { ...offer, rule: ruleOverLegs(rule, pick(input, offer.legs)) };
  const closest = legs.flatMap(({ legId, trajectory }) => {
    const point = mostProbablePoint(trajectory);
    return point ? [{ legId, point }] : [];
  });
  const reason = refusalReason(input, offer.bestJointProbability);
  return { ...offer, reason, rule: overLegs, legs: closest };
}

function pick({ candidates }: AssignmentInput, legs: readonly { readonly legId: string }[]): PartCandidate[] {
  const wanted = new Set(legs.map(({ legId }) => legId));
  return candidates.filter(({ legId }) => wanted.has(legId));
}

/** Every part replaced by any of its legs. */
function ruleOverLegs(rule: RuleTree, legs: readonly PartCandidate[]): RuleTree {
  return replaceLegs(rule, (part) => anyOf(legs.filter(({ partId }) => partId === part).map(({ legId }) => legId)));
}

/** The first change of sites that saves charge, and how many were tried for it. */
function* findCheaper(
  input: AssignmentInput,
  best: AssignmentPromise,
  mostTries: number,
): Steps<{ readonly offer: AssignmentPromise | null; readonly tries: number }> {
  let tries = 0;
  for (const changed of changesOf(input, pick(input, best.legs))) {
    if (tries++ >= mostTries) break;
    const offer = offerFor(input, changed);
    const saves = offer.kind === 'PROMISE' && totalCharge(offer) < totalCharge(best) - LEAST_SAVING;
    if (saves) return { offer, tries };
    yield;
  }
  return { offer: null, tries };
}

function totalCharge({ charge }: AssignmentPromise): number {
  return expectedCharge(charge);
}

const LEAST_SAVING = 1e-6;
const MOST_TRIES = 300;
/** Of a leg, when sites are compared. */
const COARSE_POINTS = 12;
/** Of all legs together, when the submission times are chosen. */
const FINE_POINTS = 200;
