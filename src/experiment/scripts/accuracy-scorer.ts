import { mean, median } from 'simple-statistics';
import { relativeAccuracy } from '../../stats/relative-accuracy.ts';

/** What was said of one amount and what it came out as. */
export interface SaidAmount {
  readonly point: number;
  /** The point that is said to be least wrong relatively; the point itself where there is no other. */
  readonly relativePoint: number;
  readonly actual: number;
}

/** Figures of one amount over all that was answered. */
export interface AccuracyScore {
  readonly meanAccuracy: number;
  readonly medianAccuracy: number;
  readonly meanAccuracyOfRelativePoint: number;
  readonly medianAccuracyOfRelativePoint: number;
  readonly meanAbsoluteError: number;
}

/** Scores answers by equation 1 of wyatt-prionn; null where there is none. */
export function accuracyScore(said: readonly SaidAmount[]): AccuracyScore | null {
  if (said.length === 0) return null;
  const accuracies = said.map(({ point, actual }) => relativeAccuracy(point, actual));
  const relative = said.map(({ relativePoint, actual }) => relativeAccuracy(relativePoint, actual));
  return {
    meanAccuracy: mean(accuracies),
    medianAccuracy: median(accuracies),
    meanAccuracyOfRelativePoint: mean(relative),
    medianAccuracyOfRelativePoint: median(relative),
    meanAbsoluteError: mean(said.map(({ point, actual }) => Math.abs(point - actual))),
  };
}
