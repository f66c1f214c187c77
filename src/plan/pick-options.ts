/**
 * One choice for one leg: with which probability it starts in time and what it costs; `leg` is null for leaving it out.
 */
export interface LegOption<Leg> {
  readonly probability: number;
  readonly cost: number;
  readonly leg: Leg | null;
}

type Joint = (probabilities: readonly number[]) => number;
type Options<Leg> = readonly (readonly LegOption<Leg>[])[];

/**
 * Picks one option per leg so that the joint probability reaches the target at the least total cost; null when not even
 * the most probable options do. Exact up to 20,000 combinations. Beyond, a descent: from the most probable options it
 * goes down, one leg at a time, where a unit of joint probability saves most, then exchanges steps between pairs of
 * legs.
 * @param options per leg, with costs and probabilities both increasing
 * @param joint must not decrease in any probability
 */
export function pickOptions<Leg>(options: Options<Leg>, joint: Joint, target: number): LegOption<Leg>[] | null {
  const isEnough = (choice: readonly number[]) => joint(probabilitiesOf(options, choice)) >= target - ROUNDING;
  const highest = options.map((leg) => leg.length - 1);
  if (!isEnough(highest)) return null;
  const combinations = options.reduce((product, leg) => product * leg.length, 1);
  const choice =
    combinations <= MOST_COMBINATIONS
      ? cheapestOfAll(options, isEnough, highest)
      : exchange(options, isEnough, descend(options, joint, isEnough, highest));
  return choice.map((index, leg) => optionAt(options, leg, index));
}

function cheapestOfAll<Leg>(
  options: Options<Leg>,
  isEnough: (choice: readonly number[]) => boolean,
  highest: readonly number[],
): readonly number[] {
  let best = highest;
  let bestCost = costOf(options, highest);
  const choice = options.map(() => 0);
  do {
    const cost = costOf(options, choice);
    if (cost < bestCost && isEnough(choice)) {
      best = [...choice];
      bestCost = cost;
    }
  } while (advance(choice, highest));
  return best;
}

/** Moves to the next combination; false after the last. */
function advance(choice: number[], highest: readonly number[]): boolean {
  for (let leg = 0; leg < choice.length; leg++) {
    const index = choice[leg] as number;
    if (index < (highest[leg] as number)) {
      choice[leg] = index + 1;
      return true;
    }
    choice[leg] = 0;
  }
  return false;
}

function descend<Leg>(
  options: Options<Leg>,
  joint: Joint,
  isEnough: (choice: readonly number[]) => boolean,
  from: readonly number[],
): readonly number[] {
  let choice = from;
  for (;;) {
    const current = joint(probabilitiesOf(options, choice));
    let best: { worth: number; choice: readonly number[] } | null = null;
    for (const lower of neighboursBelow(choice)) {
      if (!isEnough(lower)) continue;
      const saved = costOf(options, choice) - costOf(options, lower);
      const worth = saved / Math.max(ROUNDING, current - joint(probabilitiesOf(options, lower)));
      if (worth > (best?.worth ?? 0)) best = { worth, choice: lower };
    }
    if (!best) return choice;
    choice = best.choice;
  }
}

/** Every choice with one leg's option replaced by a cheaper one. */
function neighboursBelow(choice: readonly number[]): readonly number[][] {
  return choice.flatMap((index, leg) => Array.from({ length: index }, (_, lower) => choice.with(leg, lower)));
}

/** Raises one leg and lowers another as long as that saves cost and still reaches the target. */
function exchange<Leg>(
  options: Options<Leg>,
  isEnough: (choice: readonly number[]) => boolean,
  from: readonly number[],
): readonly number[] {
  let choice = from;
  for (let round = 0; round < MOST_EXCHANGES; round++) {
    const better = findExchange(options, isEnough, choice);
    if (!better) return choice;
    choice = better;
  }
  return choice;
}

function findExchange<Leg>(
  options: Options<Leg>,
  isEnough: (choice: readonly number[]) => boolean,
  choice: readonly number[],
): readonly number[] | null {
  const cost = costOf(options, choice);
  for (let raised = 0; raised < options.length; raised++) {
    for (let index = (choice[raised] as number) + 1; index < (options[raised]?.length ?? 0); index++) {
      const up = choice.with(raised, index);
      const better = neighboursBelow(up).find((down) => costOf(options, down) < cost && isEnough(down));
      if (better) return better;
    }
  }
  return null;
}

function probabilitiesOf<Leg>(options: Options<Leg>, choice: readonly number[]): number[] {
  return choice.map((index, leg) => optionAt(options, leg, index).probability);
}

function costOf<Leg>(options: Options<Leg>, choice: readonly number[]): number {
  return choice.reduce((sum, index, leg) => sum + optionAt(options, leg, index).cost, 0);
}

function optionAt<Leg>(options: Options<Leg>, leg: number, index: number): LegOption<Leg> {
  const option = options[leg]?.[index];
  if (!option) throw new RangeError(`leg ${leg} has no option ${index}`);
  return option;
}

const MOST_COMBINATIONS = 20_000;
const MOST_EXCHANGES = 200;
/** Products of whole percents are compared up to rounding. */
const ROUNDING = 1e-12;
