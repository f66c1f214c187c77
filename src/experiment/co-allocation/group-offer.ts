import { type RuleTree, renameLegs } from '../../domain/co-allocation.ts';
import { type AssignmentPromise, assignSites } from '../../plan/assign-sites.ts';
import type { PartCandidate } from '../../plan/assignment.ts';
import { forecastCharge } from '../../plan/charge.ts';
import { type CoAllocationOffer, offerCoAllocation, type PlannedLeg } from '../../plan/co-allocate.ts';
import { jointProbability } from '../../plan/joint-probability.ts';
import { latestPointReaching, mostProbablePoint } from '../../plan/trajectory.ts';
import type { ReservedWork } from '../varq/promising-site.ts';
import type { GroupSite } from './group-site.ts';

/** What one kind of group asks for. Its parts are named by numbers. */
export interface GroupKind {
  readonly name: string;
  /** Over the parts. */
  readonly rule: RuleTree;
  /** Wanted of the whole; with offer `EACH`, of every leg by itself. */
  readonly probability: number;
  /**
   * A site is drawn for each part, which has to reach the probability by itself (`EACH`) or together with the others
   * (`JOINT`); or sites are chosen for them, several for one if need be (`ASSIGNED`).
   */
  readonly offer: 'EACH' | 'JOINT' | 'ASSIGNED';
}

/** A leg that may be asked for. */
export interface GroupCandidate extends PartCandidate {
  readonly at: GroupSite;
  readonly work: ReservedWork;
}

type Refusal = Extract<CoAllocationOffer, { kind: 'REFUSAL' }>;

/** A part at one site, with what is forecast and charged of it there. */
export function candidateAt(partId: string, number: number, at: GroupSite, work: ReservedWork): GroupCandidate {
  const { processors, runSeconds, startAt } = work;
  return {
    legId: `${partId}@${number}`,
    partId,
    siteId: String(number),
    at,
    work,
    trajectory: at.promisableTrajectory(work),
    chargeAt: ({ submitAt, walltimeSeconds }) =>
      forecastCharge({
        processors,
        walltimeSeconds: runSeconds,
        holdUntilAt: startAt,
        submitAt,
        forecast: at.site.forecastOf(processors, walltimeSeconds, submitAt),
      }),
  };
}

/** What is offered to a group of a kind, over the candidates for its parts. */
export function offerTo(
  candidates: readonly GroupCandidate[],
  { offer, rule, probability }: GroupKind,
): AssignmentPromise | Refusal {
  if (offer === 'ASSIGNED') return assignSites({ candidates, rule, probability, mostSitesPerPart: candidates.length });
  const legOf = new Map(candidates.map(({ partId, legId }) => [partId, legId]));
  const overLegs = renameLegs(rule, (partId) => legOf.get(partId) ?? partId);
  const made =
    offer === 'EACH'
      ? offerEach(candidates, overLegs, probability)
      : offerCoAllocation({ legs: candidates, rule: overLegs, probability });
  return made.kind === 'REFUSAL' ? made : { ...made, rule: overLegs };
}

/** Every leg at the latest moment that reaches the probability by itself. */
function offerEach(candidates: readonly GroupCandidate[], rule: RuleTree, probability: number): CoAllocationOffer {
  const legs = candidates.flatMap(({ legId, trajectory, chargeAt }): PlannedLeg[] => {
    const point = latestPointReaching(trajectory, probability);
    return point ? [{ legId, point, charge: chargeAt(point) }] : [];
  });
  const joint = (of: ReadonlyMap<string, number>) => jointProbability(rule, (legId) => of.get(legId) ?? 0);
  if (legs.length < candidates.length) {
    const best = candidates.map(
      ({ legId, trajectory }) => [legId, mostProbablePoint(trajectory)?.probability ?? 0] as const,
    );
    const reason = `not every leg reaches ${probability}`;
    return { kind: 'REFUSAL', bestJointProbability: joint(new Map(best)), reason };
  }
  const charge = { neededProcessorSeconds: 0, worstPaddingProcessorSeconds: 0, expectedPaddingProcessorSeconds: 0 };
  const reached = new Map(legs.map(({ legId, point }) => [legId, point.probability]));
  return { kind: 'PROMISE', legs, jointProbability: joint(reached), charge };
}
