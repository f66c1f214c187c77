import type { EpochSeconds } from '../../domain/clock.ts';
import { type RuntimeForecast, type RuntimeRange, withinPercentiles } from '../../domain/forecast.ts';
import {
  type EndedRecord,
  hasRun,
  type JobRecord,
  type JobRequest,
  ranSeconds,
  type StartedRecord,
  type SubmittedJob,
  wasTakenDown,
} from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { LevelTracker } from '../online/level-tracker.ts';
import { RollingFit } from '../online/rolling-fit.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { LikeRuns, type LikeRunsParameters, type RunExample, type RunSpread } from './gridcast/like-runs.ts';
import { RunMemory, scaleSeconds } from './gridcast/run-memory.ts';
import { runtimeFeatures } from './gridcast/runtime-features.ts';
import type { WeightedRuntime } from './range-set/weighted-runtimes.ts';
import { RangeSet } from './range-set.ts';
import { RecentUse } from './recent-use.ts';

export interface GridcastRuntimeParameters extends LikeRunsParameters {
  /** The most recent jobs that are learned from. */
  readonly capacity: number;
  /** Ended jobs after which the trees are grown anew. */
  readonly fitEvery: number;
  /** Of so many submissions one is forecast by itself, so that the levels are known to come true. */
  readonly checkEvery: number;
  /** By how much one job moves the levels. */
  readonly levelStep: number;
}

export const GRIDCAST_RUNTIME_DEFAULTS: GridcastRuntimeParameters = {
  trees: 150,
  learningRate: 0.1,
  sharpness: 16,
  capacity: 12_000,
  fitEvery: 500,
  checkEvery: 3,
  levelStep: 0.01,
};

/** A job that was submitted and has not ended. */
interface Pending {
  readonly features: Float32Array;
  readonly scaleSeconds: number;
  /** Shares of its walltime that were said as its percentiles; null where it was not forecast. */
  readonly saidShares: Float64Array | null;
  /** Null while it waits. */
  readonly startAt: EpochSeconds | null;
}

/**
 * How long a job runs, from all that is known at its submission: what it requests, what its like ran, and which of them
 * wait and run at present and since when. Its spread is that of the jobs that boosted trees find like it; the levels
 * are corrected online, so that they come true as often as they say. Its point lies between the median of that spread
 * and that of the trees. Before the trees know 200 jobs it says what `runtime/recent-use` says, and of a job that
 * requests no walltime before they know 200 of those.
 *
 * All that ran teach it, however they ended, but for those that the site took down: a job that fails early or runs into
 * its walltime occupies its processors for just as long.
 *
 * `predict` is O(trees x jobs in a leaf), a millisecond or two; `ended` is O(1) but for the trees, of which it grows a
 * few at a time.
 */
export class GridcastRuntime implements RuntimePredictor {
  readonly name = 'runtime/gridcast';
  readonly version = '3';
  private readonly memory = new RunMemory();
  private readonly fit: RuntimeFit;
  private readonly levels: LevelTracker;
  private readonly beforeFit = new RecentUse();
  private readonly rangeSet = new RangeSet({ recipe: 'dense', density: RANGE_DENSITY });
  private readonly pending = new Map<string, Pending>();
  /** Without submissions no tree can be grown, and nothing is remembered for one. */
  private hearsSubmissions = false;
  private submissions = 0;
  /** While the older part of a past is lived through: no trees are grown, and no levels are corrected. */
  private isCatchingUp = false;
  /** Jobs that were learned from and requested no walltime. */
  private unrequested = 0;

  constructor(private readonly parameters: GridcastRuntimeParameters = GRIDCAST_RUNTIME_DEFAULTS) {
    this.fit = new RuntimeFit(parameters);
    this.levels = new LevelTracker(parameters.levelStep);
  }

  predict(job: JobRequest, state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const spread = this.spreadOf(job, now);
    if (!spread) return { ...this.beforeFit.predict(job, state, now), predictor: this.name, version: this.version };
    const scale = scaleSeconds(job);
    const quantileSeconds = spread.at(this.levels.current()).map((share) => share * scale);
    const [middle = 0] = spread.at([0.5]);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: spread.sampleSize,
      pointSeconds: withinPercentiles(((spread.median + middle) / 2) * scale, quantileSeconds),
      quantileSeconds,
    };
  }

  /** No plan shows them, so its forecasts do without. */
  runtimeRanges(job: JobRequest, now: EpochSeconds): RuntimeRange[] | null {
    const spread = this.spreadOf(job, now);
    return spread && this.rangeSet.rangesBeside(job, this.likeRuntimes(job, spread));
  }

  private spreadOf(job: JobRequest, now: EpochSeconds): RunSpread | null {
    return this.knowsLikes(job) ? this.fit.spreadOf(runtimeFeatures(job, now, this.memory)) : null;
  }

  /** Shares of walltimes say nothing of a job that requests none where nearly all jobs do. */
  private knowsLikes({ requestedWalltimeSeconds }: JobRequest): boolean {
    return requestedWalltimeSeconds !== null || this.unrequested >= FEWEST_EXAMPLES;
  }

  submitted(job: SubmittedJob, laterSubmissions = 0): void {
    this.hearsSubmissions = true;
    if (laterSubmissions >= this.parameters.capacity + LEVELS_SETTLE_AFTER) return;
    this.isCatchingUp = laterSubmissions >= LEVELS_SETTLE_AFTER;
    const features = runtimeFeatures(job, job.submitAt, this.memory);
    const isChecked = this.submissions++ % this.parameters.checkEvery === 0 && !this.isCatchingUp;
    const spread = isChecked ? this.fit.spreadOf(features) : null;
    const saidShares = spread && Float64Array.from(spread.at(this.levels.current()));
    const name = nameOf(job);
    this.memory.submitted(job, name);
    this.pending.set(name, { features, scaleSeconds: scaleSeconds(job), saidShares, startAt: null });
    if (this.pending.size > MOST_PENDING) this.pending.delete(this.pending.keys().next().value as string);
  }

  started(record: StartedRecord): void {
    if (!this.hearsSubmissions) return;
    this.stopWaiting(record, record.startAt);
    this.memory.started(record, nameOf(record), record.startAt);
  }

  ended(record: EndedRecord): void {
    this.beforeFit.ended(record);
    if (!this.hearsSubmissions) return;
    this.rangeSet.ended(record);
    this.stopWaiting(record, record.endAt);
    const name = nameOf(record);
    const submission = this.pending.get(name);
    this.pending.delete(name);
    const runSeconds = hasRun(record) && !wasTakenDown(record) ? ranSeconds(record) : null;
    this.memory.ended(record, name, record.endAt, runSeconds);
    if (runSeconds === null || !submission) return;
    if (record.requestedWalltimeSeconds === null) this.unrequested++;
    const share = runSeconds / submission.scaleSeconds;
    if (submission.saidShares) this.levels.learn(submission.saidShares, share);
    const { features, scaleSeconds: scale } = submission;
    this.fit.take(
      { features, scaleSeconds: scale, share },
      () => this.runningExamples(record.endAt),
      this.isCatchingUp,
    );
  }

  private likeRuntimes(job: JobRequest, spread: RunSpread): WeightedRuntime[] {
    const { requestedWalltimeSeconds } = job;
    return spread.likeShares().map(({ share, weight }) => ({
      runtime: { seconds: share * scaleSeconds(job), requestedWalltimeSeconds, load: Number.NaN },
      weight,
    }));
  }

  private stopWaiting(record: JobRecord, at: EpochSeconds): void {
    const submission = this.pending.get(nameOf(record));
    if (!submission || submission.startAt !== null) return;
    this.pending.set(nameOf(record), { ...submission, startAt: at });
    this.memory.waitsNoLonger(record);
  }

  /**
   * Ended jobs alone would be too short, because the longest end last. So jobs that run are learned from, too, as if
   * they ran half as long again as they have, or as long as was said, whichever is more. One that has run twice its
   * walltime does not run: nobody told its end.
   */
  private runningExamples(at: EpochSeconds): RunExample[] {
    return Array.from(this.pending.values()).flatMap(({ features, scaleSeconds: scale, saidShares, startAt }) => {
      if (startAt === null) return [];
      const elapsed = (at - startAt) / scale;
      if (elapsed > MOST_ELAPSED) return [];
      return [{ features, scaleSeconds: scale, share: Math.max(LONGER_BY * elapsed, saidShares?.[MEDIAN] ?? 0) }];
    });
  }
}

/** The trees, grown anew to the most recent jobs every so often, a few with every job. */
class RuntimeFit extends RollingFit<RunExample, LikeRuns> {
  constructor(private readonly parameters: GridcastRuntimeParameters) {
    const { capacity, fitEvery } = parameters;
    super({ capacity, fitEvery, fewestExamples: FEWEST_EXAMPLES, newShare: NEW_SHARE, treesAtOnce: TREES_AT_ONCE });
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
}

/** Sites use the numbers of jobs again. */
function nameOf({ nativeId, submitAt }: Pick<JobRecord, 'nativeId' | 'submitAt'>): string {
  return `${nativeId}@${submitAt}`;
}

const FEWEST_EXAMPLES = 200;
/** Of a past that is lived through, the levels are corrected by so many of its newest jobs. */
const LEVELS_SETTLE_AFTER = 3000;
/** Of few examples half must be new before trees are grown anew: every growth costs as much as all before. */
const NEW_SHARE = 0.5;
const TREES_AT_ONCE = 4;
/** Below that of `runtime/range-set`: at the same density ranges succeeded .9 points less often on validation jobs. */
const RANGE_DENSITY = 0.66;
const MOST_PENDING = 50_000;
const LONGER_BY = 1.5;
const MOST_ELAPSED = 2;
/** Index of the percentile 50. */
const MEDIAN = 49;
