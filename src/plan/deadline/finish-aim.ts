/** What became of a promise to finish. */
export interface FinishOutcome {
  /** What was asked of it, within (0, 1). */
  readonly probability: number;
  readonly kept: boolean;
}

/**
 * By how much more than a promise its forecast has to say, after the outcomes of earlier promises of about that
 * probability at the same site: on the scale of log odds, 0 before any. Each missed promise adds to it and each kept
 * one takes away, such that in the long run as many are kept as were promised; below 0 forecasts were too cautious.
 *
 * Source: Gibbs and Candes, Adaptive conformal inference under distribution shift, NeurIPS 2021, equation 2.
 *
 * @param outcomes oldest first
 */
export function finishShiftAfter(probability: number, outcomes: Iterable<FinishOutcome>): number {
  let shift = 0;
  for (const outcome of outcomes) {
    if (bandOf(outcome.probability) === bandOf(probability)) shift = nextFinishShift(shift, outcome);
  }
  return shift;
}

/** The shift after one more outcome, from -2 to 3. */
export function nextFinishShift(shift: number, { probability, kept }: FinishOutcome): number {
  const excessMisses = (kept ? 0 : 1) - (1 - probability);
  return Math.min(LARGEST_SHIFT, Math.max(SMALLEST_SHIFT, shift + LEARNING_RATE * excessMisses));
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
const LEARNING_RATE = 0.2;
const SMALLEST_SHIFT = -2;
const LARGEST_SHIFT = 3;
