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
import type { RuntimePredictor } from '../predictor.ts';
import type { EmbeddingParameter } from '../text/text-memory.ts';
import { RunMemory, scaleSeconds } from './gridcast/run-memory.ts';
import { FEWEST_EXAMPLES, RunModel, type RunModelParameters, type RunView } from './gridcast/run-model.ts';
import { runtimeFeatureNames, runtimeFeatures } from './gridcast/runtime-features.ts';
import { type SaidRuntime, TextRuns } from './gridcast/text-runs.ts';
import type { WeightedRuntime } from './range-set/weighted-runtimes.ts';
import { RangeSet } from './range-set.ts';
import { RecentUse } from './recent-use.ts';

export interface GridcastRuntimeParameters extends RunModelParameters, EmbeddingParameter {
  /** Of so many submissions one is forecast by itself, so that the levels are known to come true. */
  readonly checkEvery: number;
  /** Whether what is known of jobs' texts is used: `on` or `off`. */
  readonly names: 'on' | 'off';
}

/** What its parameters that are texts may be. */
export const NAMES = ['on', 'off'] as const;

export const GRIDCAST_RUNTIME_DEFAULTS: GridcastRuntimeParameters = {
  trees: 150,
  learningRate: 0.1,
  sharpness: 16,
  capacity: 12_000,
  fitEvery: 500,
  checkEvery: 3,
  levelStep: 0.01,
  names: 'on',
  embedding: 0,
};

/**
 * How long a job runs, from all that is known at its submission: what it requests, what its like ran, and which of them
 * wait and run at present and since when. Its spread is that of the jobs that boosted trees find like it; the levels
 * are corrected online, so that they come true as often as they say. Its point lies between the median of that spread
 * and that of the trees. Before the trees know 200 jobs it says what `runtime/recent-use` says, and of a job that
 * requests no walltime before they know 200 of those.
 *
 * Where jobs' names or scripts are known, they tell, too (`TextRuns`); without any it forecasts as if it knew of none.
 *
 * All that ran teach it, however they ended, but for those that the site took down: a job that fails early or runs into
 * its walltime occupies its processors for just as long.
 *
 * `predict` is O(trees x jobs / 32), a fraction of a millisecond; `ended` is O(1) but for the trees, of which it grows
 * a few at a time.
 */
export class GridcastRuntime implements RuntimePredictor {
  readonly name = 'runtime/gridcast';
  readonly version = '7';
  private readonly memory = new RunMemory();
  private readonly byWalltime: RunModel;
  /** Null until a text is known. */
  private byText: TextRuns | null = null;
  private readonly beforeFit = new RecentUse();
  private readonly rangeSet = new RangeSet({ recipe: 'dense', density: RANGE_DENSITY });
  /** Without submissions no tree can be grown, and nothing is remembered for one. */
  private hearsSubmissions = false;
  private submissions = 0;
  /** While the older part of a past is lived through: no trees are grown, and no levels are corrected. */
  private isCatchingUp = false;
  /** Texts that become known afterwards come with the next checkpoint. */
  private isFittedElsewhere = false;
  /** Jobs that were learned from and requested no walltime. */
  private unrequested = 0;

  constructor(private readonly parameters: GridcastRuntimeParameters = GRIDCAST_RUNTIME_DEFAULTS) {
    this.byWalltime = new RunModel(parameters);
  }

  predict(job: JobRequest, state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const said = this.said(job, now);
    if (!said) return { ...this.beforeFit.predict(job, state, now), predictor: this.name, version: this.version };
    const { shares, scaleSeconds: scale } = said;
    const quantileSeconds = shares.percentiles.map((share) => Math.min(said.mostSeconds, share * scale));
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: shares.sampleSize,
      pointSeconds: withinPercentiles(((Math.max(0, shares.median) + shares.middle) / 2) * scale, quantileSeconds),
      quantileSeconds,
    };
  }

  featureNames(): readonly string[] {
    return runtimeFeatureNames();
  }

  /** No plan shows them, so its forecasts do without. */
  runtimeRanges(job: JobRequest, now: EpochSeconds): RuntimeRange[] | null {
    const said = this.said(job, now);
    return said && this.rangeSet.rangesBeside(job, likeRuntimes(job, said));
  }

  leaveFitsToOthers(): void {
    this.isFittedElsewhere = true;
    this.byWalltime.leaveFitsToOthers();
    this.byText?.leaveFitsToOthers();
  }

  submitted(job: SubmittedJob, laterSubmissions = 0): void {
    this.hearsSubmissions = true;
    if (laterSubmissions >= this.parameters.capacity + LEVELS_SETTLE_AFTER) return;
    this.isCatchingUp = laterSubmissions >= LEVELS_SETTLE_AFTER;
    const features = runtimeFeatures(job, job.submitAt, this.memory);
    const isChecked = this.submissions++ % this.parameters.checkEvery === 0 && !this.isCatchingUp;
    const name = nameOf(job);
    this.memory.submitted(job, name);
    const textDecides = this.byText?.isFitted === true;
    this.byWalltime.submitted(name, viewOf(job, features), isChecked && !textDecides);
    const mayLearnTexts = this.parameters.names === 'on' && !this.isFittedElsewhere;
    if (job.program && mayLearnTexts) this.byText ??= new TextRuns(this.parameters);
    this.byText?.submitted(job, name, viewOf(job, features), isChecked);
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
    const runSeconds = hasRun(record) && !wasTakenDown(record) ? ranSeconds(record) : null;
    this.memory.ended(record, name, record.endAt, runSeconds);
    const mayWait = this.isCatchingUp || this.byText?.isFitted === true;
    const teaches = this.byWalltime.ended(name, record.endAt, runSeconds, mayWait);
    if (teaches && record.requestedWalltimeSeconds === null) this.unrequested++;
    this.byText?.ended(record, name, runSeconds, this.isCatchingUp);
    if (this.byText?.isFitted) this.byWalltime.retire();
  }

  /** Null before any trees are grown that know the like of the job. */
  private said(job: JobRequest, now: EpochSeconds): SaidRuntime | null {
    if (!this.knowsLikes(job)) return null;
    const features = runtimeFeatures(job, now, this.memory);
    const view = viewOf(job, features);
    const byText = this.byText?.said(job, view, now) ?? null;
    if (byText) return byText;
    const shares = this.byWalltime.say(features);
    const likeShares = () => this.byWalltime.likeShares(features);
    return shares && { shares, scaleSeconds: view.scaleSeconds, mostSeconds: Number.POSITIVE_INFINITY, likeShares };
  }

  /** Shares of walltimes say nothing of a job that requests none where nearly all jobs do. */
  private knowsLikes({ requestedWalltimeSeconds }: JobRequest): boolean {
    return requestedWalltimeSeconds !== null || this.unrequested >= FEWEST_EXAMPLES;
  }

  private stopWaiting(record: JobRecord, at: EpochSeconds): void {
    this.byText?.waitsNoLonger(nameOf(record), at);
    if (this.byWalltime.waitsNoLonger(nameOf(record), at)) this.memory.waitsNoLonger(record);
  }
}

function likeRuntimes({ requestedWalltimeSeconds }: JobRequest, said: SaidRuntime): WeightedRuntime[] {
  return said.likeShares().map(({ share, weight }) => ({
    runtime: { seconds: share * said.scaleSeconds, requestedWalltimeSeconds, load: Number.NaN, number: Number.NaN },
    weight,
  }));
}

/** One that has run twice its walltime does not run: nobody told its end. */
function viewOf(job: JobRequest, features: Float32Array): RunView {
  const scale = scaleSeconds(job);
  return { features, scaleSeconds: scale, longestSeconds: MOST_ELAPSED * scale };
}

/** Sites use the numbers of jobs again. */
function nameOf({ nativeId, submitAt }: Pick<JobRecord, 'nativeId' | 'submitAt'>): string {
  return `${nativeId}@${submitAt}`;
}

/** Of a past that is lived through, the levels are corrected by so many of its newest jobs. */
const LEVELS_SETTLE_AFTER = 3000;
/** Below that of `runtime/range-set`: at the same density ranges succeeded .9 points less often on validation jobs. */
const RANGE_DENSITY = 0.66;
const MOST_ELAPSED = 2;
