import type { RuleTree } from '../domain/co-allocation.ts';
import type { CoAllocationLeg } from './co-allocate.ts';

/** One part of a co-allocation, and one site that may run it. */
export interface PartAtSite {
  readonly partId: string;
  readonly siteId: string;
}

/** The same with what can be had there. */
export type PartCandidate = CoAllocationLeg & PartAtSite;

/** Parts of a co-allocation and the sites that they may go to. */
export interface AssignmentChoices<Candidate extends PartAtSite> {
  readonly candidates: readonly Candidate[];
  /** Over the parts. */
  readonly rule: RuleTree;
  /** At most as many sites for one part, of which the first to start wins. */
  readonly mostSitesPerPart: number;
}

/** A co-allocation of parts for which sites are to be found. */
export interface AssignmentInput extends AssignmentChoices<PartCandidate> {
  /** Wanted probability that the rule is met, within (0, 1). */
  readonly probability: number;
}

/**
 * One site put to use for a part: besides what the part has or in place of one of its sites, which is then free, and
 * where the site was another part's, with another free site for that one or with none.
 */
export function* changesOf<Candidate extends PartAtSite>(
  input: AssignmentChoices<Candidate>,
  present: readonly Candidate[],
): Generator<Candidate[]> {
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

/** Whether the site is unused and the part may have one more. */
export function isFree(
  { siteId, partId }: PartAtSite,
  present: readonly PartAtSite[],
  mostSitesPerPart: number,
): boolean {
  if (present.some((one) => one.siteId === siteId)) return false;
  return present.filter((one) => one.partId === partId).length < mostSitesPerPart;
}
