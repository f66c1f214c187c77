import { membersNeeded, type RuleTree } from '../domain/co-allocation.ts';
import type { ChargeForecast, Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { jointProbability } from './joint-probability.ts';
import { type LegOption, pickOptions } from './pick-options.ts';
import { mostProbablePoint } from './trajectory.ts';

/** One possible leg of a co-allocation. */
export interface CoAllocationLeg {
  readonly legId: string;
  readonly trajectory: Trajectory;
  /** What the leg is charged when it is submitted at a point of its trajectory. */
  readonly chargeAt: (point: TrajectoryPoint) => ChargeForecast;
}

/** A co-allocation that is asked for. */
export interface CoAllocationInput {
  readonly legs: readonly CoAllocationLeg[];
  /** Over these legs. */
  readonly rule: RuleTree;
  /** Wanted probability that the rule is met, within (0, 1). */
  readonly probability: number;
}

/** A leg that is to be submitted, and when. */
export interface PlannedLeg {
  readonly legId: string;
  readonly point: TrajectoryPoint;
  readonly charge: ChargeForecast;
}

/** The answer to a request for a co-allocation. Legs that are not worth their charge are left out of a promise. */
export type CoAllocationOffer =
  | {
      readonly kind: 'PROMISE';
      readonly legs: readonly PlannedLeg[];
      readonly jointProbability: number;
      readonly charge: ChargeForecast;
    }
  | { readonly kind: 'REFUSAL'; readonly bestJointProbability: number; readonly reason: string };

/**
 * Picks the legs and their submission times so that the rule is met with the wanted probability at low expected charge,
 * or refuses with the best joint probability on offer. Legs are taken to start independently. The least charge is found
 * exactly where all combinations can be tried, else by descent from the most probable combination.
 *
 * Source: nurmi-varq, section 4.6 (either-or, co-allocation and their combination).
 */
export function offerCoAllocation(input: CoAllocationInput): CoAllocationOffer {
  const { rule, legs, probability } = input;
  const options = legs.map((leg) => paretoOptions(leg, sparesLegs(rule)));
  const indexOf = new Map(legs.map(({ legId }, index) => [legId, index]));
  const joint = (probabilities: readonly number[]) =>
    jointProbability(rule, (legId) => probabilities[indexOf.get(legId) ?? -1] ?? 0);
  const picked = pickOptions(options, joint, probability);
  if (!picked) return refusal(input, joint);
  const planned = picked.flatMap((option) => (option.leg ? [option.leg] : []));
  return {
    kind: 'PROMISE',
    legs: planned,
    jointProbability: joint(picked.map((option) => option.probability)),
    charge: groupCharge(rule, planned),
  };
}

function refusal(input: CoAllocationInput, joint: (probabilities: readonly number[]) => number): CoAllocationOffer {
  const bestJointProbability = joint(input.legs.map((leg) => mostProbablePoint(leg.trajectory)?.probability ?? 0));
  return { kind: 'REFUSAL', bestJointProbability, reason: refusalReason(input, bestJointProbability) };
}

/** Why a rule is not promised, in words. */
export function refusalReason(
  { rule, probability }: Pick<CoAllocationInput, 'rule' | 'probability'>,
  bestJointProbability: number,
): string {
  return `${describeRule(rule)} with probability ${probability} is not on offer; the best is ${bestJointProbability.toFixed(4)}`;
}

function describeRule(rule: RuleTree): string {
  if ('legId' in rule) return `leg ${rule.legId}`;
  const word = rule.rule === 'AT_LEAST' ? `at least ${rule.atLeast}` : rule.rule.toLowerCase();
  if (rule.members.every((member) => 'legId' in member)) return `${word} of ${rule.members.length} legs`;
  return `${word} of (${rule.members.map(describeRule).join(', ')})`;
}

/** Whether the rule can be met without some leg. */
function sparesLegs(rule: RuleTree): boolean {
  if ('legId' in rule) return false;
  return membersNeeded(rule) < rule.members.length || rule.members.some(sparesLegs);
}

/**
 * A leg's choices that no other choice of it beats in probability and expected charge at once, cheapest first; not
 * asking for it is one.
 */
function paretoOptions(leg: CoAllocationLeg, isSpared: boolean): LegOption<PlannedLeg>[] {
  const options: LegOption<PlannedLeg>[] = [{ probability: 0, cost: 0, leg: null }];
  for (const point of latestPerProbability(leg.trajectory)) {
    const charge = leg.chargeAt(point);
    options.push({
      probability: point.probability,
      cost: legCost(isSpared, charge),
      leg: { legId: leg.legId, point, charge },
    });
  }
  options.sort((a, b) => a.cost - b.cost || b.probability - a.probability);
  let best = -1;
  return options.filter((option) => {
    if (option.probability <= best) return false;
    best = option.probability;
    return true;
  });
}

/**
 * What a leg adds to the group's expected charge: its padding and, where the rule needs every leg, its own work. Where
 * it spares legs, the work is paid for the winners whoever they are, so only a hundredth of it counts, against legs
 * that add nothing.
 */
function legCost(isSpared: boolean, charge: ChargeForecast): number {
  const share = isSpared ? 0.01 : 1;
  return charge.expectedPaddingProcessorSeconds + share * charge.neededProcessorSeconds;
}

function latestPerProbability(trajectory: Trajectory): TrajectoryPoint[] {
  const latest = new Map(trajectory.map((point) => [point.probability, point]));
  latest.delete(0);
  return [...latest.values()];
}

/**
 * What the group is charged when its dearest set of winners wins, which is as many legs as hold at one time at most;
 * the expected padding counts every leg's, so it is not too low.
 */
function groupCharge(rule: RuleTree, legs: readonly PlannedLeg[]): ChargeForecast {
  const dearest = (amountOf: (charge: ChargeForecast) => number) =>
    dearestWinners(rule, new Map(legs.map(({ legId, charge }) => [legId, amountOf(charge)]))) ?? 0;
  const worstPaddingProcessorSeconds = dearest((charge) => charge.worstPaddingProcessorSeconds);
  const expected = sum(legs.map((leg) => leg.charge.expectedPaddingProcessorSeconds));
  return {
    neededProcessorSeconds: dearest((charge) => charge.neededProcessorSeconds),
    worstPaddingProcessorSeconds,
    expectedPaddingProcessorSeconds: Math.min(expected, worstPaddingProcessorSeconds),
  };
}

/** The largest amount that a set of winners comes to; null when the legs at hand cannot meet the rule. */
function dearestWinners(rule: RuleTree, amounts: ReadonlyMap<string, number>): number | null {
  if ('legId' in rule) return amounts.get(rule.legId) ?? null;
  const members = rule.members.flatMap((member) => dearestWinners(member, amounts) ?? []);
  const needed = membersNeeded(rule);
  return members.length < needed ? null : sum(members.sort((a, b) => b - a).slice(0, needed));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
