import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';

/** What became of a promise to finish. */
export interface FinishOutcome {
  /** That was promised, within (0, 1). */
  readonly probability: number;
  readonly kept: boolean;
  /** When that was known. */
  readonly at: EpochSeconds;
}

/** By how much more than a promise its forecast has to say, on the scale of log odds, as it was learned. */
export interface FinishShift {
  readonly shift: number;
  /** When the newest outcome was known; it fades from a day after that. */
  readonly at: EpochSeconds;
}

/** About what it settled at on average over three logs: forecasts of finishes are too sure. */
const FIRST_SHIFT = 0.5;

/** Before any outcome. */
export const NO_OUTCOME: FinishShift = { shift: FIRST_SHIFT, at: Number.NEGATIVE_INFINITY };

/**
 * The shift after the outcomes of earlier promises of about that probability at the same site. Each missed promise adds
 * to it and each kept one takes away, such that in the long run as many are kept as were promised; below 0 forecasts
 * were too cautious. When no outcomes come it fades to what it was before any: where it has become so large that
 * nothing is promised any more, nothing is learned either.
 *
 * Source: Gibbs and Candes, Adaptive conformal inference under distribution shift, NeurIPS 2021, equation 2.
 *
 * @param outcomes oldest first
 */
export function finishShiftAfter(probability: number, outcomes: Iterable<FinishOutcome>, now: EpochSeconds): number {
  let learned = NO_OUTCOME;
  for (const outcome of outcomes) {
    if (bandOf(outcome.probability) === bandOf(probability)) learned = nextFinishShift(learned, outcome);
  }
  return fadedShift(learned, now);
}

/** The shift after one more outcome, from -1 to 3. */
export function nextFinishShift(learned: FinishShift, { probability, kept, at }: FinishOutcome): FinishShift {
  const excessMisses = (kept ? 0 : 1) - (1 - probability);
  const shift = fadedShift(learned, at) + LEARNING_RATE * excessMisses;
  return { shift: Math.min(LARGEST_SHIFT, Math.max(SMALLEST_SHIFT, shift)), at };
}

/** What is left of a shift of what was learned: as long as outcomes come, all of it. */
export function fadedShift({ shift, at }: FinishShift, now: EpochSeconds): number {
  const left = Math.exp(-Math.max(0, now - at - LASTING_SECONDS) / FADING_SECONDS);
  return FIRST_SHIFT + (shift - FIRST_SHIFT) * left;
}

/**
 * What a forecast has to say for that promise: .99, with which forecasts end, at most, unless the promise is higher.
 */
export function aimedFinish(probability: number, shift: number): number {
  return Math.min(shifted(probability, shift), Math.max(probability, MOST_FORECAST));
}

/** The promise that a forecast is worth, from 0 to .99. */
export function promisableFinish(forecast: number, shift: number): number {
  return forecast <= 0 ? 0 : Math.min(MOST_FORECAST, shifted(forecast, -shift));
}

function shifted(probability: number, shift: number): number {
  if (probability <= 0 || probability >= 1) return probability;
  const odds = (probability / (1 - probability)) * Math.exp(shift);
  return odds / (1 + odds);
}

/** Promises are compared with their like: up to .6, up to .85, above. */
function bandOf(probability: number): number {
  if (probability <= 0.6) return 0;
  return probability <= 0.85 ? 1 : 2;
}

const MOST_FORECAST = 0.99;
/** Promises that are open at the same time are missed together, so one counts little. */
const LEARNING_RATE = 0.05;
const SMALLEST_SHIFT = -1;
const LARGEST_SHIFT = 3;
/** Without any further outcome. */
const LASTING_SECONDS = DAY_SECONDS;
const FADING_SECONDS = 30 * DAY_SECONDS;
