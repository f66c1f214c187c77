import { QUANTILE_COUNT } from '../../../domain/forecast.ts';
import type { BoostingParameters } from '../../../stats/boosted-trees.ts';
import type { ExampleRow } from '../../online/example-columns.ts';
import { RollingFit, type RollingFitParameters } from '../../online/rolling-fit.ts';
import { type HazardExample, HazardTrees, INTERVAL_ENDS_SECONDS, type LaterFeatureRow } from './hazard-trees.ts';

/** How hazards are fitted. */
export interface WaitHazardParameters extends RollingFitParameters {
  readonly boosting: BoostingParameters;
}

export const WAIT_HAZARD_DEFAULTS: WaitHazardParameters = {
  boosting: { trees: 100, learningRate: 0.06, rowShare: 0.5, featureShare: 0.3, mostLeaves: 8, fewestRows: 200 },
  capacity: 20_000,
  fewestExamples: 1500,
  fitEvery: 3000,
};

/**
 * The distribution of a wait as the probability that it ends in each of a row of intervals, given that it lasted until
 * then, by boosted trees that know the interval. Jobs that still wait count as what they are: they outlived so many
 * intervals.
 *
 * Source: Cox, Regression models and life-tables, JRSS B 34 (1972), section 6 (discrete time: the logistic hazard);
 * Singer and Willett, It's about time, Journal of Educational Statistics 18 (1993) (each interval outlived is a row of
 * its own).
 */
export class WaitHazards extends RollingFit<HazardExample, HazardTrees> {
  constructor(private readonly parameters: WaitHazardParameters) {
    super(parameters, EXAMPLE_NUMBERS);
  }

  /** Begins to fit to the known waits and those that go on; until the fit is finished the last one answers. */
  beginFit(waiting: readonly HazardExample[]): void {
    this.begin((known, seed) => new HazardTrees([...known, ...waiting], this.parameters.boosting, seed));
  }

  /**
   * The percentiles 1..99 in seconds, between the ends of intervals as if waits were spread evenly there; `Infinity`
   * beyond the last, and throughout before the first fit. O(intervals x trees x depth).
   */
  percentiles(features: LaterFeatureRow): readonly number[] {
    const reached = this.probabilities(features);
    return Array.from({ length: QUANTILE_COUNT }, (_, i) => {
      const level = (i + 1) / 100;
      const interval = reached.findIndex((probability) => probability >= level);
      if (interval < 0) return Number.POSITIVE_INFINITY;
      if (interval === 0) return 0;
      const [from, to] = [INTERVAL_ENDS_SECONDS[interval - 1] as number, INTERVAL_ENDS_SECONDS[interval] as number];
      const [below, above] = [reached[interval - 1] as number, reached[interval] as number];
      return from + ((to - from) * (level - below)) / (above - below);
    });
  }

  protected featuresOf({ features }: HazardExample): Float32Array {
    return features.values;
  }

  protected numbersOf({ features, waitSeconds, isOver }: HazardExample): ExampleNumbers {
    return [waitSeconds, isOver ? 1 : 0, features.timeOfDaySeconds, ...features.plannedWaitSeconds];
  }

  protected exampleOf({ features: values, numbers }: ExampleRow): HazardExample {
    const [waitSeconds, isOver, timeOfDaySeconds, ...plannedWaitSeconds] =
      numbers as Iterable<number> as ExampleNumbers;
    return { features: { values, plannedWaitSeconds, timeOfDaySeconds }, waitSeconds, isOver: isOver === 1 };
  }

  /** Of a wait up to the end of each interval. */
  private probabilities(features: LaterFeatureRow): readonly number[] {
    let lasting = 1;
    return (this.model?.hazards(features) ?? []).map((hazard) => {
      lasting *= 1 - hazard;
      return 1 - lasting;
    });
  }
}

/** Wait, whether it is over, time of the day and what is planned. */
type ExampleNumbers = [number, number, number, ...LaterFeatureRow['plannedWaitSeconds']];
const EXAMPLE_NUMBERS = 5;
