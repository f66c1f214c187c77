import { APQ_STATISTICS, type ApqStatistics } from './apq-history.ts';
import type { ApqModelParameters } from './apq-models.ts';

export interface ApqParameters extends ApqModelParameters {
  /** Size of the history set. */
  readonly capacity: number;
  readonly statistics: ApqStatistics;
  /** Bins of each histogram, with the statistics `distribution`. */
  readonly bins: number;
  /** Weights are recomputed after so many waits. */
  readonly reweighEvery: number;
}

/** Tuned together on the validation sets of five logs, see docs/decisions/018-apq-looks-near.md. */
export const APQ_DEFAULTS: ApqParameters = {
  capacity: 6000,
  statistics: 'summary',
  bins: 20,
  reweighEvery: 100,
  closestShare: 0.01,
  farDistance: 0.1,
  outlierShare: 0.5,
  radius: 0.1,
  minPoints: 4,
  windowWidth: 0.01,
  maxDistance: 0.05,
  regressionDistance: 0.1,
  neighbours: 5,
};

/**
 * The values each parameter is tried with: those of Table IV, and of the three distances smaller ones too, because
 * within the paper's ranges (0.3 to 1) jobs that have little in common with the target decide.
 */
export const APQ_TRIED: { readonly [Name in keyof ApqParameters]?: readonly ApqParameters[Name][] } = {
  statistics: APQ_STATISTICS,
  capacity: [2000, 4000, 6000],
  closestShare: [0.01, 0.02, 0.05],
  farDistance: [0.05, 0.1, 0.2, 0.3],
  outlierShare: [0.1, 0.3, 0.5, 0.7, 0.9],
  radius: [0.05, 0.1],
  minPoints: [2, 3, 4, 5],
  windowWidth: [0.005, 0.01, 0.02, 0.05, 0.1],
  maxDistance: [0.02, 0.05, 0.1, 0.3, 0.45, 0.6],
  regressionDistance: [0.1, 0.2, 0.4, 0.7, 1],
  neighbours: [1, 3, 5, 10, 20],
};
