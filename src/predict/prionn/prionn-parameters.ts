import type { Choices } from '../settings.ts';
import { SHAPES } from './characters.ts';
import type { TrainingSettings } from './training.ts';
import { TRANSFORMS } from './transforms.ts';

/**
 * What a forecast's point is: a usual value of the most probable class, or the percentile that is least wrong
 * relatively.
 */
export const POINTS = ['likely', 'relative'] as const;

/** Parameters of PRIONN's predictors. */
export interface PrionnParameters extends TrainingSettings {
  /** Submissions from one training event to the next. */
  readonly every: number;
  /** Ended jobs that are learned from, the last ones. */
  readonly jobs: number;
  readonly point: (typeof POINTS)[number];
}

/** Those of the paper (sections 2.3 and 2.4), where it tells them. */
export const PRIONN_DEFAULTS: PrionnParameters = {
  every: 100,
  jobs: 500,
  point: 'likely',
  shape: '2d',
  transform: 'word2vec',
  side: 64,
  epochs: 10,
  batch: 10,
  rate: 0.001,
  seed: 1,
};

/** Of all of PRIONN's predictors. */
export const PRIONN_VERSION = '1';

/** What those of its parameters may be that are one of some. */
export const PRIONN_CHOICES: Choices<PrionnParameters> = {
  point: POINTS,
  shape: SHAPES,
  transform: TRANSFORMS,
  side: [16, 32, 64],
};
