import { DAY_SECONDS } from '../../../domain/clock.ts';
import { QUANTILE_COUNT } from '../../../domain/forecast.ts';
import { BoostedOdds, probabilityOf } from '../../../stats/boosted-odds.ts';
import type { BoostingParameters } from '../../../stats/boosted-trees.ts';
import type { ExampleRow } from '../../online/example-columns.ts';
import { RollingFit, type RollingFitParameters } from '../../online/rolling-fit.ts';

/** A job and how long it waited. */
export interface HazardExample {
  readonly features: LaterFeatureRow;
  readonly waitSeconds: number;
  /** Whether it started then; else it is only known to have waited that long. */
  readonly isOver: boolean;
}

/** Features of a job with those that the model sets against the time waited. */
export interface LaterFeatureRow {
  readonly values: Float32Array;
  /** By requested and by expected runtimes. */
  readonly plannedWaitSeconds: readonly [number, number];
  readonly timeOfDaySeconds: number;
}

/** How hazards are fitted. */
export interface WaitHazardParameters extends RollingFitParameters {
  readonly boosting: BoostingParameters;
}

export const WAIT_HAZARD_DEFAULTS: WaitHazardParameters = {
  boosting: { trees: 100, learningRate: 0.06, rowShare: 0.5, featureShare: 0.3, mostLeaves: 8, fewestRows: 200 },
  capacity: 20_000,
  fewestExamples: 1500,
  fitEvery: 3000,
  treesAtOnce: 4,
};

/** Ends, included, of the intervals a wait is told apart by, in seconds. */
const INTERVAL_ENDS_SECONDS = [
  30, 300, 600, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600, 28_800, 43_200,
] as const;

/**
 * The distribution of a wait as the probability that it ends in each of a row of intervals, given that it lasted until
 * then, by boosted trees that know the interval. Jobs that still wait count as what they are: they outlived so many
 * intervals.
 *
 * Source: Cox, Regression models and life-tables, JRSS B 34 (1972), section 6 (discrete time: the logistic hazard);
 * Singer and Willett, It's about time, Journal of Educational Statistics 18 (1993) (each interval outlived is a row of
 * its own).
 */
export class WaitHazards extends RollingFit<HazardExample, BoostedOdds> {
  constructor(private readonly parameters: WaitHazardParameters) {
    super(parameters, EXAMPLE_NUMBERS);
  }

  /** Begins to fit to the known waits and those that go on; until the fit is finished the last one answers. */
  beginFit(waiting: readonly HazardExample[]): void {
    this.begin((known, seed) => {
      const { values, outcomes } = intervalRows([...known, ...waiting]);
      return new BoostedOdds(values, outcomes, this.parameters.boosting, seed);
    });
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
    const { model } = this;
    if (!model) return [];
    const row = new Float32Array(rowWidth(features));
    let lasting = 1;
    return INTERVAL_ENDS_SECONDS.map((_, interval) => {
      setRow(row, 0, features, interval);
      lasting *= 1 - probabilityOf(model.predict(row));
      return 1 - lasting;
    });
  }
}

/** Wait, whether it is over, time of the day and what is planned. */
type ExampleNumbers = [number, number, number, ...LaterFeatureRow['plannedWaitSeconds']];
const EXAMPLE_NUMBERS = 5;

/** A row for each interval that an example reached and that it is known to have ended in or outlived. */
function intervalRows(examples: readonly HazardExample[]): { values: Float32Array; outcomes: Uint8Array } {
  const counts = examples.map(({ waitSeconds, isOver }) => {
    const outlived = INTERVAL_ENDS_SECONDS.filter((end) => (isOver ? end < waitSeconds : end <= waitSeconds)).length;
    return isOver ? Math.min(INTERVAL_ENDS_SECONDS.length, outlived + 1) : outlived;
  });
  const width = examples[0] ? rowWidth(examples[0].features) : 0;
  const outcomes = new Uint8Array(counts.reduce((sum, count) => sum + count, 0));
  const values = new Float32Array(outcomes.length * width);
  let row = 0;
  examples.forEach(({ features, waitSeconds, isOver }, i) => {
    for (let interval = 0; interval < (counts[i] as number); interval++) {
      setRow(values, row * width, features, interval);
      outcomes[row++] = isOver && waitSeconds <= (INTERVAL_ENDS_SECONDS[interval] as number) ? 1 : 0;
    }
  });
  return { values, outcomes };
}

function rowWidth({ values, plannedWaitSeconds }: LaterFeatureRow): number {
  return values.length + plannedWaitSeconds.length + 2;
}

function setRow(into: Float32Array, offset: number, features: LaterFeatureRow, interval: number): void {
  const end = INTERVAL_ENDS_SECONDS[interval] as number;
  into.set(features.values, offset);
  let next = offset + features.values.length;
  into[next++] = interval;
  into[next++] = (features.timeOfDaySeconds + end) % DAY_SECONDS;
  for (const planned of features.plannedWaitSeconds) into[next++] = end - planned;
}
