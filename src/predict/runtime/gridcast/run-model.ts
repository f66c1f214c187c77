import type { EpochSeconds } from '../../../domain/clock.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import { AnswersByLeaves } from '../../online/answers-by-leaves.ts';
import type { ExampleRow } from '../../online/example-columns.ts';
import { LevelTracker } from '../../online/level-tracker.ts';
import { RollingFit } from '../../online/rolling-fit.ts';
import { LikeRuns, type LikeRunsParameters, type RunExample, type RunSpread, type WeightedShare } from './like-runs.ts';

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

/** What is said of a job, in shares of its scale. */
export interface SaidShares extends Omit<RunSpread, 'at'> {
  /** That is reached with a probability of one half. */
  readonly middle: number;
  /** The percentiles 1..99, at the levels that make them come true. */
  readonly percentiles: readonly number[];
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
  /** Since the last job that taught. */
  private readonly answers = new AnswersByLeaves<SaidShares>();

  constructor(parameters: RunModelParameters) {
    this.fit = new RuntimeFit(parameters);
    this.levels = new LevelTracker(parameters.levelStep);
  }

  get isFitted(): boolean {
    return this.fit.isFitted;
  }

  /** Null before the first trees are grown. O(trees x depth) where it said so of a job in the same leaves. */
  say(features: Float32Array): SaidShares | null {
    const trees = this.fit.grownTrees;
    if (!trees) return null;
    const leaves = trees.leavesOf(features);
    return this.answers.of(leaves, '', () => {
      const { median, sampleSize, at } = trees.spreadOf(leaves);
      const [middle = 0] = at([0.5]);
      return { median, sampleSize, middle, percentiles: at(this.levels.current()) };
    });
  }

  /**
   * Shares of the scale that jobs like one ran, with how much each counts, together 1; none before the first trees are
   * grown. O(trees x jobs / 32).
   */
  likeShares(features: Float32Array): WeightedShare[] {
    const trees = this.fit.grownTrees;
    return trees?.likeShares(trees.leavesOf(features)) ?? [];
  }

  /** Its trees are grown by somebody else from now on. */
  leaveFitsToOthers(): void {
    this.fit.leaveToOthers();
  }

  /** Nobody will ask it any more; it still tells which jobs teach. */
  retire(): void {
    this.fit.retire();
    this.answers.forget();
  }

  /**
   * What it says of the job, where it is forecast.
   * @param isChecked whether it is, so that the levels are known to come true
   */
  submitted(name: string, view: RunView, isChecked: boolean): SaidShares | null {
    const said = isChecked ? this.say(view.features) : null;
    const saidShares = said && Float64Array.from(said.percentiles);
    this.pending.set(name, { ...view, saidShares, startAt: null });
    if (this.pending.size > MOST_PENDING) this.pending.delete(this.pending.keys().next().value as string);
    return said;
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
    this.answers.forget();
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
    const fixed = { fewestExamples: FEWEST_EXAMPLES, newShare: NEW_SHARE };
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

  /** Null before the first are. */
  get grownTrees(): LikeRuns | null {
    return this.model;
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
const MOST_PENDING = 50_000;
const LONGER_BY = 1.5;
/** Index of the percentile 50. */
const MEDIAN = 49;

keepClass(RunModel);
keepClass(RuntimeFit);
