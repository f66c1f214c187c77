import type { EpochSeconds } from '../../../domain/clock.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import type { ExampleRow } from '../../online/example-columns.ts';
import { LevelTracker } from '../../online/level-tracker.ts';
import { RollingFit } from '../../online/rolling-fit.ts';
import { LikeRuns, type LikeRunsParameters, type RunExample, type RunSpread } from './like-runs.ts';

export interface RunModelParameters extends LikeRunsParameters {
  /** The most recent jobs that are learned from. */
  readonly capacity: number;
  /** Ended jobs after which the trees are grown anew. */
  readonly fitEvery: number;
  /** By how much one job moves the levels. */
  readonly levelStep: number;
}

/** A job as it is known at its submission. */
export interface RunView {
  readonly features: Float32Array;
  /** What runtimes are told as shares of. */
  readonly scaleSeconds: number;
  /** After which it is not believed to run. */
  readonly longestSeconds: number;
}

/** A job that was submitted and has not ended. */
interface Pending extends RunView {
  /** Shares of its scale that were said as its percentiles; null where it was not forecast. */
  readonly saidShares: Float64Array | null;
  /** Null while it waits. */
  readonly startAt: EpochSeconds | null;
}

/**
 * The runtimes of like jobs as shares of a scale: trees grown anew every so often, and the levels that make what they
 * say come true.
 */
export class RunModel {
  private readonly fit: RuntimeFit;
  private readonly levels: LevelTracker;
  private readonly pending = new Map<string, Pending>();

  constructor(parameters: RunModelParameters) {
    this.fit = new RuntimeFit(parameters);
    this.levels = new LevelTracker(parameters.levelStep);
  }

  get isFitted(): boolean {
    return this.fit.isFitted;
  }

  /** Null before the first trees are grown. */
  spreadOf(features: Float32Array): RunSpread | null {
    return this.fit.spreadOf(features);
  }

  /** The levels to ask of a spread for the percentiles 1..99. */
  currentLevels(): Float64Array {
    return this.levels.current();
  }

  /** Its trees are grown by somebody else from now on. */
  leaveFitsToOthers(): void {
    this.fit.leaveToOthers();
  }

  /**
   * What it says of the job, where it is forecast.
   * @param isChecked whether it is, so that the levels are known to come true
   */
  submitted(name: string, view: RunView, isChecked: boolean): RunSpread | null {
    const spread = isChecked ? this.fit.spreadOf(view.features) : null;
    const saidShares = spread && Float64Array.from(spread.at(this.levels.current()));
    this.pending.set(name, { ...view, saidShares, startAt: null });
    if (this.pending.size > MOST_PENDING) this.pending.delete(this.pending.keys().next().value as string);
    return spread;
  }

  /** Whether the job was known to wait. */
  waitsNoLonger(name: string, at: EpochSeconds): boolean {
    const submission = this.pending.get(name);
    if (!submission || submission.startAt !== null) return false;
    this.pending.set(name, { ...submission, startAt: at });
    return true;
  }

  /**
   * Whether the job teaches.
   * @param runSeconds null where its end says nothing of how long such jobs run
   * @param mayWait whether nobody asks yet, so that trees need not be grown
   */
  ended(name: string, at: EpochSeconds, runSeconds: number | null, mayWait: boolean): boolean {
    const submission = this.pending.get(name);
    this.pending.delete(name);
    if (runSeconds === null || !submission) return false;
    const { features, scaleSeconds, saidShares } = submission;
    const share = runSeconds / scaleSeconds;
    if (saidShares) this.levels.learn(saidShares, share);
    this.fit.take({ features, scaleSeconds, share }, () => this.runningExamples(at), mayWait);
    return true;
  }

  /**
   * Ended jobs alone would be too short, because the longest end last. So jobs that run are learned from, too, as if
   * they ran half as long again as they have, or as long as was said, whichever is more.
   */
  private runningExamples(at: EpochSeconds): RunExample[] {
    return Array.from(this.pending.values()).flatMap((job) => {
      const { features, scaleSeconds, longestSeconds, saidShares, startAt } = job;
      if (startAt === null || at - startAt > longestSeconds) return [];
      const elapsed = (at - startAt) / scaleSeconds;
      return [{ features, scaleSeconds, share: Math.max(LONGER_BY * elapsed, saidShares?.[MEDIAN] ?? 0) }];
    });
  }
}

/** The trees, grown anew to the most recent jobs every so often, a few with every job. */
class RuntimeFit extends RollingFit<RunExample, LikeRuns> {
  constructor(private readonly parameters: RunModelParameters) {
    const { capacity, fitEvery } = parameters;
    const fixed = { fewestExamples: FEWEST_EXAMPLES, newShare: NEW_SHARE, treesAtOnce: TREES_AT_ONCE };
    super({ capacity, fitEvery, ...fixed }, 2);
  }

  /**
   * @param running jobs that have not ended, asked for when trees are to be grown
   * @param mayWait whether nobody asks yet, so that trees need not be grown
   */
  take(example: RunExample, running: () => readonly RunExample[], mayWait: boolean): void {
    this.learn(example);
    if (this.isDue && !mayWait) {
      this.begin((ended, seed) => new LikeRuns([...ended, ...running()], this.parameters, seed));
    }
    this.continueFit();
  }

  /** Null before the first trees are grown. */
  spreadOf(features: Float32Array): RunSpread | null {
    return this.model?.spreadOf(features) ?? null;
  }

  protected featuresOf({ features }: RunExample): Float32Array {
    return features;
  }

  protected numbersOf({ scaleSeconds, share }: RunExample): readonly number[] {
    return [scaleSeconds, share];
  }

  protected exampleOf({ features, numbers }: ExampleRow): RunExample {
    return { features, scaleSeconds: numbers[0] as number, share: numbers[1] as number };
  }
}

/** Jobs that are known before the first trees are grown. */
export const FEWEST_EXAMPLES = 200;
/** Of few examples half must be new before trees are grown anew: every growth costs as much as all before. */
const NEW_SHARE = 0.5;
const TREES_AT_ONCE = 4;
const MOST_PENDING = 50_000;
const LONGER_BY = 1.5;
/** Index of the percentile 50. */
const MEDIAN = 49;

keepClass(RunModel);
keepClass(RuntimeFit);
