/** A probability and the seconds that the wait does not exceed with it. */
export interface Bound {
  readonly probability: number;
  readonly seconds: number;
}

/** When a job may start: what lies in the middle, and the spans around it. Seconds after the submission. */
export interface StartFan {
  readonly middle: number | null;
  /** The narrowest first; ends are null beyond what history supports. */
  readonly spans: readonly { readonly probability: number; readonly low: number; readonly high: number | null }[];
}

const SPANS = [0.5, 0.8, 0.95];

/**
 * When a job that has waited for so long may start, by the forecast that was made of it: what of that is past already
 * is out of the question, and the rest is as probable among itself as it was.
 * @param bounds of the forecast, in the order of probability
 */
export function startFan(bounds: readonly Bound[], waitedSeconds: number): StartFan {
  const passed = probabilityOf(bounds, waitedSeconds);
  const at = (probability: number) => secondsAt(bounds, passed + probability * (1 - passed));
  const spans = SPANS.map((probability) => ({
    probability,
    low: Math.max(waitedSeconds, at((1 - probability) / 2) ?? waitedSeconds),
    high: at((1 + probability) / 2),
  }));
  return { middle: at(0.5), spans };
}

/** The probability that the wait is over after so long; beyond the last bound it is not known, and is that of it. */
function probabilityOf(bounds: readonly Bound[], seconds: number): number {
  let before: Bound = { probability: 0, seconds: 0 };
  for (const bound of bounds) {
    if (seconds < bound.seconds) {
      const share = (seconds - before.seconds) / (bound.seconds - before.seconds);
      return before.probability + Math.max(0, share) * (bound.probability - before.probability);
    }
    before = bound;
  }
  return before.probability;
}

function secondsAt(bounds: readonly Bound[], probability: number): number | null {
  let before: Bound = { probability: 0, seconds: 0 };
  for (const bound of bounds) {
    if (probability <= bound.probability) {
      const share = (probability - before.probability) / (bound.probability - before.probability);
      return before.seconds + share * (bound.seconds - before.seconds);
    }
    before = bound;
  }
  return null;
}
