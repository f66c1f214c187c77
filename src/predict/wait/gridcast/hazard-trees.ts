import { DAY_SECONDS } from '../../../domain/clock.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import { BoostedOdds, probabilityOf } from '../../../stats/boosted-odds.ts';
import type { BoostingParameters } from '../../../stats/boosted-trees.ts';
import type { GrowingModel } from '../../online/rolling-fit.ts';

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

/** Ends, included, of the intervals a wait is told apart by, in seconds. */
export const INTERVAL_ENDS_SECONDS = [
  30, 300, 600, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600, 28_800, 43_200,
] as const;

/**
 * Boosted trees over a row for each interval that an example reached and that it is known to have ended in or outlived:
 * they say with which probability a wait that came to an interval ends in it. The rows are made in steps as the trees
 * are grown.
 */
export class HazardTrees implements GrowingModel {
  /** Null once all rows are made. */
  private unfinished: IntervalRows | null;
  private trees: BoostedOdds | null = null;

  /** @param examples at least one that reached an interval */
  constructor(
    examples: readonly HazardExample[],
    private readonly boosting: BoostingParameters,
    private readonly seed: number,
  ) {
    this.unfinished = new IntervalRows(examples);
  }

  get isGrown(): boolean {
    return this.trees?.isGrown ?? false;
  }

  grow(values = Number.POSITIVE_INFINITY): void {
    this.trees?.grow(values);
    this.unfinished?.add(values);
    if (!this.unfinished?.isFinished) return;
    const { unfinished: rows, boosting, seed } = this;
    this.trees = new BoostedOdds(rows.values, rows.outcomes, boosting, seed);
    this.unfinished = null;
  }

  /** Of a wait that came to an interval, whether it ends in it, by probability. O(intervals x trees x depth). */
  hazards(features: LaterFeatureRow): readonly number[] {
    const { trees } = this;
    if (!trees) throw new Error('asked before the trees were grown');
    const row = new Float32Array(rowWidth(features));
    return INTERVAL_ENDS_SECONDS.map((_, interval) => {
      setRow(row, 0, features, interval);
      return probabilityOf(trees.predict(row));
    });
  }
}

/** What hazards are learned from, made in steps. */
class IntervalRows {
  readonly values: Float32Array;
  /** Whether the wait ended in the interval. */
  readonly outcomes: Uint8Array;
  private readonly width: number;
  private rows = 0;
  private taken = 0;

  constructor(private readonly examples: readonly HazardExample[]) {
    this.width = examples[0] ? rowWidth(examples[0].features) : 0;
    this.outcomes = new Uint8Array(examples.reduce((sum, example) => sum + intervalsOf(example), 0));
    this.values = new Float32Array(this.outcomes.length * this.width);
  }

  get isFinished(): boolean {
    return this.taken === this.examples.length;
  }

  /** Adds the rows of further examples until about so many values are set. */
  add(values: number): void {
    const enough = this.rows + values / this.width;
    while (this.rows < enough && !this.isFinished) this.addOne(this.examples[this.taken++] as HazardExample);
  }

  private addOne(example: HazardExample): void {
    const { features, waitSeconds, isOver } = example;
    const intervals = intervalsOf(example);
    for (let interval = 0; interval < intervals; interval++) {
      setRow(this.values, this.rows * this.width, features, interval);
      this.outcomes[this.rows++] = isOver && waitSeconds <= (INTERVAL_ENDS_SECONDS[interval] as number) ? 1 : 0;
    }
  }
}

/** How many intervals an example reached and is known to have ended in or outlived. */
function intervalsOf({ waitSeconds, isOver }: HazardExample): number {
  let outlived = 0;
  for (const end of INTERVAL_ENDS_SECONDS) if (isOver ? end < waitSeconds : end <= waitSeconds) outlived++;
  return isOver ? Math.min(INTERVAL_ENDS_SECONDS.length, outlived + 1) : outlived;
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

keepClass(HazardTrees);
keepClass(IntervalRows);
