import { legsOfRule, type RuleTree } from '../domain/co-allocation.ts';
import { finish, type Steps } from '../domain/steps.ts';
import {
  type AssignmentChoices,
  type AssignmentInput,
  changesOf,
  isFree,
  type PartAtSite,
  type PartCandidate,
} from './assignment.ts';
import { jointProbability } from './joint-probability.ts';
import { mostProbablePoint } from './trajectory.ts';

/** The sites for the parts that make the rule most probable, every site used at most once. */
export function* mostProbableSteps(input: AssignmentInput): Steps<readonly PartCandidate[]> {
  const highest = new Map(input.candidates.map((one) => [one, mostProbablePoint(one.trajectory)?.probability ?? 0]));
  return yield* search(input, (candidate) => highest.get(candidate) ?? 0);
}

/** Whether there are sites enough to meet the rule, if they started every part in time. */
export function sitesSuffice(rule: RuleTree, candidates: readonly PartAtSite[]): boolean {
  const input = { rule, candidates, mostSitesPerPart: 1 };
  const certain = () => 1;
  return jointOf(input, certain, finish(search(input, certain))) > 0.5;
}

type ProbabilityOf<Candidate> = (candidate: Candidate) => number;

/**
 * Branch and bound over the sites, from the best that changes of single sites lead to. Where there are too many ways to
 * look at it is the best found.
 */
function* search<Candidate extends PartAtSite>(
  input: AssignmentChoices<Candidate>,
  of: ProbabilityOf<Candidate>,
): Steps<readonly Candidate[]> {
  const sites = sitesOf(input.candidates, of);
  let best = yield* climb(input, of);
  let bestJoint = jointOf(input, of, best);
  let looks = 0;
  function* descend(present: readonly Candidate[], next: number): Steps<void> {
    const left = sites.slice(next);
    const [site] = left;
    if (!site || looks++ >= MOST_LOOKS) return;
    yield;
    if (jointOf(input, of, atMost(input, of, present, left.flat())) <= bestJoint * (1 + ROUNDING)) return;
    for (const candidate of site) {
      if (!isFree(candidate, present, input.mostSitesPerPart)) continue;
      const more = [...present, candidate];
      const joint = jointOf(input, of, more);
      if (joint > bestJoint * (1 + ROUNDING)) [best, bestJoint] = [more, joint];
      yield* descend(more, next + 1);
    }
    yield* descend(present, next + 1);
  }
  yield* descend([], 0);
  return best;
}

/** The candidates by site, the most probable first. */
function sitesOf<Candidate extends PartAtSite>(
  candidates: readonly Candidate[],
  of: ProbabilityOf<Candidate>,
): Candidate[][] {
  const sites = new Map<string, Candidate[]>();
  for (const candidate of [...candidates].sort((a, b) => of(b) - of(a))) {
    sites.set(candidate.siteId, [...(sites.get(candidate.siteId) ?? []), candidate]);
  }
  return [...sites.values()];
}

/**
 * No assignment that goes on from the present one is more probable than this, in which parts share the sites that are
 * left.
 */
function atMost<Candidate extends PartAtSite>(
  { rule, mostSitesPerPart }: AssignmentChoices<Candidate>,
  of: ProbabilityOf<Candidate>,
  present: readonly Candidate[],
  left: readonly Candidate[],
): Candidate[] {
  return legsOfRule(rule).flatMap((part) => {
    const own = present.filter(({ partId }) => partId === part);
    const more = left.filter(({ partId }) => partId === part).sort((a, b) => of(b) - of(a));
    return [...own, ...more.slice(0, mostSitesPerPart - own.length)];
  });
}

/** Adds, moves and exchanges sites as long as that makes the rule more probable, from none at all. */
function* climb<Candidate extends PartAtSite>(
  input: AssignmentChoices<Candidate>,
  of: ProbabilityOf<Candidate>,
): Steps<readonly Candidate[]> {
  let present: readonly Candidate[] = [];
  for (;;) {
    const joint = jointOf(input, of, present);
    let best: { readonly changed: readonly Candidate[]; readonly joint: number } | null = null;
    for (const changed of changesOf(input, present)) {
      const reached = jointOf(input, of, changed);
      if (reached > (best?.joint ?? joint * (1 + ROUNDING))) best = { changed, joint: reached };
      yield;
    }
    if (!best) return present;
    present = best.changed;
  }
}

/** With every leg at its most probable; a part without legs has a tiny chance, so that giving it one counts at once. */
function jointOf<Candidate extends PartAtSite>(
  { rule }: AssignmentChoices<Candidate>,
  of: ProbabilityOf<Candidate>,
  legs: readonly Candidate[],
): number {
  const misses = new Map<string, number>();
  for (const leg of legs) misses.set(leg.partId, (misses.get(leg.partId) ?? 1) * (1 - of(leg)));
  return jointProbability(rule, (part) => Math.max(HARDLY_EVER, 1 - (misses.get(part) ?? 1)));
}

const HARDLY_EVER = 1e-6;
const ROUNDING = 1e-12;
const MOST_LOOKS = 5000;
