import { BoostedMedian } from '../../../stats/boosted-median.ts';
import type { BoostingParameters } from '../../../stats/boosted-trees.ts';
import type { ExampleRow } from '../../online/example-columns.ts';
import { RollingFit, type RollingFitParameters } from '../../online/rolling-fit.ts';

/** A submission and how long it waited. */
export interface WaitExample {
  readonly features: Float32Array;
  readonly waitSeconds: number;
}

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
  fewestExamples: 500,
  fitEvery: 1000,
  treesAtOnce: 16,
};

/**
 * Median wait of a submission by boosted trees, fitted anew to the most recent known waits every so often. It works on
 * the square roots of waits: the median is the same on any scale, but on this one trees split neither for the few
 * longest waits alone, as on the plain one, nor for differences of seconds, as on a logarithmic one.
 *
 * Known waits alone would be too short, because the longest are known last. So jobs that still wait are learned from,
 * too, as if they would wait half as long again as they have, or as long as was forecast, whichever is more.
 */
export class WaitModel extends RollingFit<WaitExample, BoostedMedian> {
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
      const roots = Float64Array.from(rows, ({ waitSeconds }) => Math.sqrt(waitSeconds));
      return new BoostedMedian(rowAfterRow(rows, this.widest), roots, this.parameters.boosting, seed);
    });
  }

  /** Square root of the median wait, not below 0; 0 before the first fit. */
  predictRoot(features: Float32Array): number {
    return Math.max(0, this.model?.predict(filledUp(features, this.widest)) ?? 0);
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
    return { features, waitSeconds: Math.max(LONGER_BY * ageSeconds, this.predictRoot(features) ** 2) };
  }
}

/** What was not told of a site when a row was made is not known. */
function filledUp(features: Float32Array, width: number): Float32Array {
  if (features.length >= width) return features;
  const filled = new Float32Array(width).fill(Number.NaN);
  filled.set(features);
  return filled;
}

function rowAfterRow(rows: readonly { readonly features: Float32Array }[], width: number): Float32Array {
  const values = new Float32Array(rows.length * width).fill(Number.NaN);
  rows.forEach(({ features }, i) => {
    values.set(features, i * width);
  });
  return values;
}

const LONGER_BY = 1.5;
