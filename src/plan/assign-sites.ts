import type { RuleTree } from '../domain/co-allocation.ts';
import { expectedCharge } from './charge.ts';
import { type CoAllocationLeg, type CoAllocationOffer, offerCoAllocation } from './co-allocate.ts';
import { jointProbability } from './joint-probability.ts';
import { mostProbablePoint } from './trajectory.ts';

/** One part of a co-allocation at one site that may run it. */
export interface PartCandidate extends CoAllocationLeg {
  readonly partId: string;
  readonly siteId: string;
}

/** A co-allocation of parts for which sites are to be found. */
export interface AssignmentInput {
  readonly candidates: readonly PartCandidate[];
  /** Over the parts. */
  readonly rule: RuleTree;
  /** Wanted probability that the rule is met, within (0, 1). */
  readonly probability: number;
  /** At most as many sites for one part, of which the first to start wins. */
  readonly mostSitesPerPart: number;
}

/** The offer, and its rule over the legs that it asks for: each part is met by any of its legs. */
export type AssignmentOffer = AssignmentPromise | Extract<CoAllocationOffer, { kind: 'REFUSAL' }>;
export type AssignmentPromise = Extract<CoAllocationOffer, { kind: 'PROMISE' }> & { readonly rule: RuleTree };

/**
 * Gives the parts of a co-allocation their sites, one or several for each and every site at most once, with submission times, so that
 * the rule is met with the wanted probability at low expected charge; or refuses with the best joint probability on offer. It
 * begins with the most probable assignment it finds, leaves out what is not worth its charge, and then adds, moves and exchanges
 * sites as long as that is cheaper: neither the charge nor the best probability is guaranteed to be the optimum.
 *
 * Source: nurmi-varq, section 4.6 ("either-or" against the decay of co-allocation).
 */
export function assignSites(input: AssignmentInput): AssignmentOffer {
  const coarse = { ...input, candidates: input.candidates.map(withFewPoints) };
  const first = offerFor(coarse, mostProbableAssignment(coarse));
  if (first.kind === 'REFUSAL') return first;
  let best = first;
  for (let tries = 0; tries < MOST_TRIES; ) {
    const cheaper = findCheaper(coarse, best, MOST_TRIES - tries);
    if (!cheaper.offer) break;
    best = cheaper.offer;
    tries += cheaper.tries;
  }
  const asked = new Set(best.legs.map(({ legId }) => legId));
  return offerFor(
    input,
    input.candidates.filter(({ legId }) => asked.has(legId)),
  );
}

/** The candidate with some of its probabilities, spread evenly, the highest among them: enough to compare sites. */
function withFewPoints(candidate: PartCandidate): PartCandidate {
  const latest = new Map(candidate.trajectory.map((point) => [point.probability, point]));
  const points = [...latest.values()].sort((a, b) => b.probability - a.probability);
  const step = Math.ceil(points.length / MOST_POINTS);
  const trajectory = points.filter((_, i) => i % step === 0).sort((a, b) => a.submitAt - b.submitAt);
  return { ...candidate, trajectory };
}

/** Offers to meet the rule by these legs alone. */
function offerFor({ rule, probability }: AssignmentInput, legs: readonly PartCandidate[]): AssignmentOffer {
  const overLegs = ruleOverLegs(rule, legs);
  const offer = offerCoAllocation({ legs, rule: overLegs, probability });
  if (offer.kind === 'REFUSAL') return offer;
  const asked = new Set(offer.legs.map(({ legId }) => legId));
  const rest = legs.filter(({ legId }) => asked.has(legId));
  return { ...offer, rule: ruleOverLegs(rule, rest) };
}

/** Every part replaced by any of its legs; a part without legs can never be met. */
function ruleOverLegs(rule: RuleTree, legs: readonly PartCandidate[]): RuleTree {
  if ('members' in rule) return { ...rule, members: rule.members.map((member) => ruleOverLegs(member, legs)) };
  const own = legs.filter(({ partId }) => partId === rule.legId).map(({ legId }) => ({ legId }));
  return own.length === 1 && own[0] ? own[0] : { rule: 'ANY', atLeast: null, members: own };
}

/** Adds, moves and exchanges sites as long as that makes the rule more probable, from none at all. */
function mostProbableAssignment(input: AssignmentInput): PartCandidate[] {
  let present: PartCandidate[] = [];
  for (;;) {
    const joint = highestJoint(input, present);
    const [best] = [...changesOf(input, present)]
      .map((changed) => ({ changed, joint: highestJoint(input, changed) }))
      .sort((one, other) => other.joint - one.joint);
    if (!best || best.joint <= joint * (1 + ROUNDING)) return present;
    present = best.changed;
  }
}

/** With every leg at its most probable; a part without legs has a tiny chance, so that giving it one counts at once. */
function highestJoint({ rule }: AssignmentInput, legs: readonly PartCandidate[]): number {
  return jointProbability(rule, (part) => {
    const miss = legs.reduce((all, leg) => (leg.partId === part ? all * (1 - highestProbability(leg)) : all), 1);
    return Math.max(HARDLY_EVER, 1 - miss);
  });
}

/** The first change of sites that saves charge, and how many were tried for it. */
function findCheaper(
  input: AssignmentInput,
  best: AssignmentPromise,
  mostTries: number,
): { readonly offer: AssignmentPromise | null; readonly tries: number } {
  const asked = new Set(best.legs.map(({ legId }) => legId));
  const present = input.candidates.filter(({ legId }) => asked.has(legId));
  let tries = 0;
  for (const changed of changesOf(input, present)) {
    if (tries++ >= mostTries) break;
    const offer = offerFor(input, changed);
    const saves = offer.kind === 'PROMISE' && totalCharge(offer) < totalCharge(best) - LEAST_SAVING;
    if (saves) return { offer, tries };
  }
  return { offer: null, tries };
}

/**
 * One site put to use for a part: besides what the part has or in place of one of its sites, which is then free, and where the site
 * was another part's, with another free site for that one or with none.
 */
function* changesOf(input: AssignmentInput, present: readonly PartCandidate[]): Generator<PartCandidate[]> {
  for (const added of input.candidates) {
    if (present.includes(added)) continue;
    const displaced = present.find(({ siteId }) => siteId === added.siteId);
    const others = present.filter((one) => one !== displaced);
    const ofSamePart = others.filter(({ partId }) => partId === added.partId);
    for (const replaced of [null, ...ofSamePart]) {
      const rest = others.filter((one) => one !== replaced);
      if (!isFree(added, rest, input.mostSitesPerPart)) continue;
      const changed = [...rest, added];
      yield changed;
      if (!displaced) continue;
      for (const instead of input.candidates) {
        const isForDisplaced = instead.partId === displaced.partId && isFree(instead, changed, input.mostSitesPerPart);
        if (isForDisplaced) yield [...changed, instead];
      }
    }
  }
}

function isFree(
  { siteId, partId }: PartCandidate,
  present: readonly PartCandidate[],
  mostSitesPerPart: number,
): boolean {
  if (present.some((one) => one.siteId === siteId)) return false;
  return present.filter((one) => one.partId === partId).length < mostSitesPerPart;
}

function highestProbability({ trajectory }: PartCandidate): number {
  return mostProbablePoint(trajectory)?.probability ?? 0;
}

function totalCharge({ charge }: AssignmentPromise): number {
  return expectedCharge(charge);
}

const HARDLY_EVER = 1e-6;
const ROUNDING = 1e-12;
const LEAST_SAVING = 1e-6;
const MOST_TRIES = 300;
const MOST_POINTS = 12;
