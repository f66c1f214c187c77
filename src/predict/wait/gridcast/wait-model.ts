import type { BoostingParameters } from '../../../stats/boosted-trees.ts';
import type { ExampleRow } from '../../online/example-columns.ts';
import { RollingFit, type RollingFitParameters } from '../../online/rolling-fit.ts';
import { LikeWaits, type WaitExample, type WaitSpread } from './like-waits.ts';

/** A submission that still waits. */
export interface WaitingExample {
  readonly features: Float32Array;
  readonly ageSeconds: number;
}

export interface WaitModelParameters extends RollingFitParameters {
  readonly boosting: BoostingParameters;
}

export const WAIT_MODEL_DEFAULTS: WaitModelParameters = {
  boosting: { trees: 160, learningRate: 0.05, rowShare: 0.6, featureShare: 0.5, mostLeaves: 24, fewestRows: 20 },
  capacity: 10_000,
  fewestExamples: 120,
  fitEvery: 1000,
};

/**
 * The distribution of the wait of a submission, fitted anew to the most recent known waits every so often.
 *
 * Known waits alone would be too short, because the longest are known last. So jobs that still wait are learned from,
 * too, as if they would wait half as long again as they have, or as long as was forecast, whichever is more.
 */
export class WaitModel extends RollingFit<WaitExample, LikeWaits> {
  /** Features of the widest row so far: a site may come to tell more of itself. */
  private widest = 0;

  constructor(private readonly parameters: WaitModelParameters) {
    super(parameters, 1);
  }

  /**
   * Begins to fit to the known waits and to the jobs that still wait; until the fit is finished the last one answers.
   */
  beginFit(waiting: readonly WaitingExample[]): void {
    const still = waiting.map((one) => this.expected(one));
    this.begin((known, seed) => {
      const rows = [...known, ...still];
      this.widest = rows.reduce((most, { features }) => Math.max(most, features.length), this.widest);
      return new LikeWaits(rows, this.widest, this.parameters.boosting, seed);
    });
  }

  /** Of each tree the leaf in which a submission lies; null before the first fit. */
  leavesOf(features: Float32Array): Int32Array | null {
    return this.model?.leavesOf(filledUp(features, this.widest)) ?? null;
  }

  /** What is said of every submission in these leaves; null before the first fit. */
  spreadOf(leaves: Int32Array): WaitSpread | null {
    return this.model?.spreadOf(leaves) ?? null;
  }

  protected featuresOf({ features }: WaitExample): Float32Array {
    return features;
  }

  protected numbersOf({ waitSeconds }: WaitExample): readonly number[] {
    return [waitSeconds];
  }

  protected exampleOf({ features, numbers }: ExampleRow): WaitExample {
    return { features, waitSeconds: numbers[0] as number };
  }

  private expected({ features, ageSeconds }: WaitingExample): WaitExample {
    const medianRoot = this.model?.medianRootOf(filledUp(features, this.widest)) ?? 0;
    return { features, waitSeconds: Math.max(LONGER_BY * ageSeconds, medianRoot ** 2) };
  }
}

/** What was not told of a site when a row was made is not known. */
function filledUp(features: Float32Array, width: number): Float32Array {
  if (features.length >= width) return features;
  const filled = new Float32Array(width).fill(Number.NaN);
  filled.set(features);
  return filled;
}

const LONGER_BY = 1.5;
