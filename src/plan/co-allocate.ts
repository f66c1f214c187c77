import { type CoAllocationRule, legsNeeded } from '../domain/co-allocation.ts';
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
  readonly rule: CoAllocationRule;
  /** Needed with rule AT_LEAST, from 1 to the number of legs. */
  readonly atLeast: number | null;
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
 * Picks the legs and their submission times so that the rule is met with the wanted probability at low expected charge, or
 * refuses with the best joint probability on offer. Legs are taken to start independently. The least charge is found exactly where
 * all combinations can be tried, else by descent from the most probable combination.
 *
 * Source: nurmi-varq, section 4.6 (either-or, co-allocation and their combination).
 */
export function offerCoAllocation(input: CoAllocationInput): CoAllocationOffer {
  const options = input.legs.map((leg) => paretoOptions(leg, input.rule));
  const joint = (probabilities: readonly number[]) => jointProbability(input.rule, probabilities, input.atLeast);
  const picked = pickOptions(options, joint, input.probability);
  if (!picked) return refusal(input, joint);
  const legs = picked.flatMap((option) => (option.leg ? [option.leg] : []));
  return {
    kind: 'PROMISE',
    legs,
    jointProbability: joint(picked.map((option) => option.probability)),
    charge: groupCharge(legs, legsNeeded(input.rule, input.legs.length, input.atLeast)),
  };
}

function refusal(input: CoAllocationInput, joint: (probabilities: readonly number[]) => number): CoAllocationOffer {
  const bestJointProbability = joint(input.legs.map((leg) => mostProbablePoint(leg.trajectory)?.probability ?? 0));
  const rule = input.rule === 'AT_LEAST' ? `at least ${input.atLeast}` : input.rule.toLowerCase();
  const reason = `${rule} of ${input.legs.length} legs with probability ${input.probability} is not on offer; the best is ${bestJointProbability.toFixed(4)}`;
  return { kind: 'REFUSAL', bestJointProbability, reason };
}

/** A leg's choices that no other choice of it beats in probability and expected charge at once, cheapest first; not asking for it is one. */
function paretoOptions(leg: CoAllocationLeg, rule: CoAllocationRule): LegOption<PlannedLeg>[] {
  const options: LegOption<PlannedLeg>[] = [{ probability: 0, cost: 0, leg: null }];
  for (const point of latestPerProbability(leg.trajectory)) {
    const charge = leg.chargeAt(point);
    options.push({
      probability: point.probability,
      cost: legCost(rule, charge),
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
 * What a leg adds to the group's expected charge: its padding and, where the rule needs every leg, its own work. Where it spares
 * legs, the work is paid for the winners whoever they are, so only a hundredth of it counts, against legs that add nothing.
 */
function legCost(rule: CoAllocationRule, charge: ChargeForecast): number {
  const share = rule === 'ALL' ? 1 : 0.01;
  return charge.expectedPaddingProcessorSeconds + share * charge.neededProcessorSeconds;
}

function latestPerProbability(trajectory: Trajectory): TrajectoryPoint[] {
  const latest = new Map(trajectory.map((point) => [point.probability, point]));
  latest.delete(0);
  return [...latest.values()];
}

/**
 * What the group is charged when exactly the `needed` legs win. As many legs hold at one time at most, the dearest ones in the
 * worst case; the expected padding counts every leg's, so it is not too low.
 */
function groupCharge(legs: readonly PlannedLeg[], needed: number): ChargeForecast {
  const dearest = (amounts: number[]) => sum(amounts.sort((a, b) => b - a).slice(0, needed));
  const worstPaddingProcessorSeconds = dearest(legs.map((leg) => leg.charge.worstPaddingProcessorSeconds));
  const expected = sum(legs.map((leg) => leg.charge.expectedPaddingProcessorSeconds));
  return {
    neededProcessorSeconds: dearest(legs.map((leg) => leg.charge.neededProcessorSeconds)),
    worstPaddingProcessorSeconds,
    expectedPaddingProcessorSeconds: Math.min(expected, worstPaddingProcessorSeconds),
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
