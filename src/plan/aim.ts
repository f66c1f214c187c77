import type { Trajectory } from '../domain/plan.ts';

/** What became of a promise. */
export interface PromiseOutcome {
  /** What was promised, within (0, 1). */
  readonly probability: number;
  readonly kept: boolean;
}

/**
 * How far above a promise its keeper aims, after the outcomes of earlier promises of about that probability at the same
 * site.
 *
 * Choosing among many moments the one whose forecast just reaches the promise favours forecasts that are too good.
 * Moving the submission later spends every improvement of the site's state on a smaller charge, while a worsening is
 * suffered in full. So aiming at the promise itself keeps less than was promised, the more so the closer to 1. The
 * margin is a share of the way from the promise to 1. It starts from what held on the KTH-SP2 log under EASY. It grows
 * with each missed promise and shrinks with each kept one, such that in the long run as many are kept as were promised.
 *
 * Source of the correction: Gibbs and Candes, Adaptive conformal inference under distribution shift, NeurIPS 2021.
 *
 * @param outcomes oldest first
 * @param start the margin before any of them; that of a promise by itself unless told
 */
export function marginAfter(
  probability: number,
  outcomes: Iterable<PromiseOutcome>,
  start = startingMargin(probability),
): number {
  let margin = start;
  for (const outcome of outcomes) {
    if (bandOf(outcome.probability) === bandOf(probability)) margin = nextMargin(margin, outcome);
  }
  return margin;
}

/** The same for a leg of a co-allocation. */
export function legMarginAfter(probability: number, outcomes: Iterable<PromiseOutcome>): number {
  return marginAfter(probability, outcomes, startingMarginOfLeg(probability));
}

/**
 * The margin before any outcome: half the way to 1 times the fourth power of the probability; .41 at .95, .03 at .5.
 */
export function startingMargin(probability: number): number {
  return 0.5 * probability ** 4;
}

/**
 * The same for a leg. Sites and levels of legs are chosen together, those that cost least for what is forecast, so that
 * forecasts that are too good are taken at lower probabilities, too: half the way to 1 times the square of the
 * probability; .45 at .95, .28 at .75, .13 at .5.
 */
export function startingMarginOfLeg(probability: number): number {
  return 0.5 * probability ** 2;
}

/**
 * The margin after one more outcome, from -.3 to .9: below 0 nothing is aimed lower, but less is paid for certainty.
 */
export function nextMargin(margin: number, { probability, kept }: PromiseOutcome): number {
  const excessMisses = (kept ? 0 : 1) - (1 - probability);
  return Math.min(0.9, Math.max(-0.3, margin + LEARNING_RATE * excessMisses));
}

/**
 * The probability to aim at: never below the promise, and at most the .99 that forecasts end with unless the promise is
 * higher.
 */
export function aimedProbability(probability: number, margin: number): number {
  return Math.max(probability, Math.min(0.99, probability + margin * (1 - probability)));
}

/**
 * The same for a leg of a co-allocation, which has no price for certainty: where more legs were kept than promised the
 * margin is below 0, and less than the promise is aimed at.
 */
export function aimedOfLeg(probability: number, margin: number): number {
  const aim = Math.min(Math.max(0.99, probability), probability + margin * (1 - probability));
  return Math.max(0, aim - ROUNDING);
}

/**
 * For each forecast of a leg in whole percent, the highest promise whose aim it reaches.
 * @param marginOf a promise, by the outcomes of those of about that probability
 */
export function promisableOfLegs(marginOf: (probability: number) => number): number[] {
  const percents = Array.from({ length: 100 }, (_, percent) => percent / 100);
  const aims = percents.map((promise) => promise + marginOf(promise) * (1 - promise));
  return percents.map((forecast) => {
    const highest = aims.findLastIndex((aim) => aim <= forecast + ROUNDING);
    return Math.max(0, highest) / 100;
  });
}

/**
 * The highest promise whose aim a forecast reaches, in whole percent; 0 when there is none. The margin of another
 * promise is taken to be as far from its start as that of the promise asked for.
 * @param asked the promise asked for, with its margin
 */
export function promisableProbability(forecast: number, asked: { probability: number; margin: number }): number {
  const learned = asked.margin - startingMargin(asked.probability);
  for (let percent = 99; percent > 0; percent--) {
    const promise = percent / 100;
    const margin = Math.min(0.9, Math.max(0, startingMargin(promise) + learned));
    if (promise + margin * (1 - promise) <= forecast + ROUNDING) return promise;
  }
  return 0;
}

/**
 * A trajectory with what may be promised at each submission time in place of what is forecast.
 * @param promisable of a forecast in whole percent
 */
export function asPromises(trajectory: Trajectory, promisable: (forecast: number) => number): Trajectory {
  const promises = new Map<number, number>();
  return trajectory.map((point) => {
    const promise = promises.get(point.probability) ?? promisable(point.probability);
    promises.set(point.probability, promise);
    return { ...point, probability: promise };
  });
}

/** Promises are compared with their like: up to .6, up to .85, above. */
function bandOf(probability: number): number {
  if (probability <= 0.6) return 0;
  return probability <= 0.85 ? 1 : 2;
}

const LEARNING_RATE = 0.1;
/** Whole percents are compared up to that. */
const ROUNDING = 1e-9;
