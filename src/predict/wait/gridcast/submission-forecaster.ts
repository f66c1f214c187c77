import type { EpochSeconds } from '../../../domain/clock.ts';
import { type EndedRecord, type JobRequest, type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import { AnswersByLeaves } from '../../online/answers-by-leaves.ts';
import { ClassLevels } from '../../online/class-levels.ts';
import { namedFeatures, submissionFeatures } from './features.ts';
import { levelClassesOf } from './level-classes.ts';
import { type NearestErrors, type RootError, RootErrors } from './root-errors.ts';
import { SiteMemory } from './site-memory.ts';
import { SiteOutlook } from './site-outlook.ts';
import { SitePlans } from './site-plans.ts';
import { type ReplayListener, replayBetween } from './site-replay.ts';
import { WAIT_MODEL_DEFAULTS, WaitModel } from './wait-model.ts';
import { waitPointSeconds } from './wait-point.ts';
import { waitSecondsAt } from './wait-seconds-at.ts';

/** What is said of a submission. */
export interface SubmissionForecast {
  readonly pointSeconds: number;
  /** Bounds of the percentiles 1..99, never decreasing. */
  readonly quantileSeconds: Float64Array;
  /** Known waits it rests on. */
  readonly sampleSize: number;
}

/** A submission that was seen and whose wait is not known yet. */
interface Pending {
  readonly submitAt: EpochSeconds;
  readonly features: Float32Array;
  /** What was said of it, null before anything could be. */
  readonly said: Said | null;
}

/** A forecast, and what has to be kept of it to learn from its outcome. */
interface Said {
  readonly medianRoot: number;
  readonly quantileSeconds: Float64Array;
  readonly classes: readonly string[];
}

/**
 * Forecasts submissions that are made now, from all that is known of the site at their moment. Between two snapshots it
 * replays what happened, so that each job is learned with what a forecast would have known of it, and forecasts each
 * job itself, so that it knows its own errors whether it was asked or not.
 *
 * `predict` is O(waiting jobs x (waiting + running)); `learn` is O(1); `observe` does what `predict` does for each new
 * job. The model is fitted after the first 120 known waits and anew after a third more each, a thousand at most, a
 * little with each snapshot, so that nobody waits for it.
 */
export class SubmissionForecaster implements ReplayListener {
  /** As it is known now. */
  readonly memory: SiteMemory;
  /** As it was known at the moment of the replay. */
  private readonly past: SiteMemory;
  private readonly plans: SitePlans;
  private readonly model = new WaitModel(WAIT_MODEL_DEFAULTS);
  private readonly errors = new RootErrors(ERRORS_KEPT, NEAREST_ERRORS);
  private readonly levels = new ClassLevels(LEVEL_STEP);
  private readonly pending = new Map<string, Pending>();
  /** Since the last snapshot, from which on nothing is learned of how features become waits. */
  private readonly answers = new AnswersByLeaves<Said | null>();
  private before: Snapshot | null = null;
  private learned: StartedRecord[] = [];
  private overSince: EndedRecord[] = [];

  /** @param outlook what others forecast of the site; told by whoever gives it */
  constructor(private readonly outlook: SiteOutlook = new SiteOutlook()) {
    this.memory = new SiteMemory(outlook);
    this.past = new SiteMemory(outlook);
    this.plans = new SitePlans(this.memory);
  }

  /** Its model is fitted by somebody else from now on. */
  leaveFitsToOthers(): void {
    this.model.leaveToOthers();
  }

  /** Takes in a wait that has become known; it counts from the next snapshot on. */
  learn(record: StartedRecord): void {
    this.memory.learnWait(record);
    this.learned.push(record);
    if (this.learned.length > 2 * MOST_UNWATCHED) this.learned = this.learned.slice(-MOST_UNWATCHED);
  }

  /** Takes in when a job ended, so that the states that others are learned with show it until then. */
  learnEnd(record: EndedRecord): void {
    if (this.before === null) return;
    this.overSince.push(record);
    if (this.overSince.length > MOST_UNWATCHED) this.overSince.shift();
  }

  /** Takes in what the site says at one moment, later than all before. */
  observe(state: Snapshot): void {
    if (this.before && state.observedAt <= this.before.observedAt) return;
    this.answers.forget();
    const isWatched = this.before !== null && state.observedAt - this.before.observedAt <= FRESH_SECONDS;
    const since = { started: this.learned, ended: this.overSince };
    if (isWatched) replayBetween(this.before, state, since, this);
    else this.takeInUnwatched(state);
    this.before = state;
    this.learned = [];
    this.overSince = [];
    this.errors.tellWaiting(this.errorsSoFar(state));
    this.fitWhenDue(state.waiting);
    this.model.continueFit();
  }

  /** Null while too little has been seen to say anything. */
  predict(job: JobRequest, at: EpochSeconds, state: Snapshot): SubmissionForecast | null {
    if (!this.model.isFitted || at - state.observedAt > FRESH_SECONDS) return null;
    const runtime = this.outlook.runtimes?.ask(job, state, at) ?? null;
    const features = submissionFeatures(job, at, state, this.memory, runtime, this.plans.of(state, at));
    const said = this.sayAgain(features, job, at, state);
    if (said === null) return null;
    const { medianRoot, quantileSeconds } = said;
    const pointSeconds = waitPointSeconds(medianRoot, quantileSeconds[MEDIAN] as number);
    return { pointSeconds, quantileSeconds, sampleSize: this.model.size };
  }

  /** Names of the features that it learns from, in their order. */
  featureNames(): string[] {
    const asked = { job: ANY_JOB, at: 0, memory: this.memory, runtime: null };
    return namedFeatures(asked, EMPTY_PARTS).map(([name]) => name);
  }

  submitted(job: WaitingJob, state: Snapshot | null): void {
    if (state === null && this.pending.get(job.nativeId)?.submitAt === job.submitAt) return;
    const features = submissionFeatures(job, job.submitAt, state, this.past, this.outlook.runtimes?.of(job));
    const said = this.say(features, job, job.submitAt, state);
    this.pending.delete(job.nativeId);
    this.pending.set(job.nativeId, { submitAt: job.submitAt, features, said });
    if (this.pending.size > MOST_PENDING) this.pending.delete(this.pending.keys().next().value as string);
  }

  started(record: StartedRecord): void {
    this.past.learnWait(record);
    const submission = this.pending.get(record.nativeId);
    if (submission?.submitAt !== record.submitAt) return;
    this.pending.delete(record.nativeId);
    const wait = Math.max(0, waitSeconds(record));
    this.model.learn({ features: submission.features, waitSeconds: wait });
    if (submission.said === null) return;
    const { medianRoot, quantileSeconds, classes } = submission.said;
    this.levels.learn(classes, quantileSeconds, wait);
    this.errors.learn(medianRoot, Math.sqrt(wait));
  }

  ended(job: RunningJob, runSeconds: number): void {
    this.past.learnRuntime(job, runSeconds);
    this.memory.learnRuntime(job, runSeconds);
  }

  /** Of many waits the later ones are forecast by a model of the earlier ones, so that its errors are known at once. */
  private takeInUnwatched(state: Snapshot): void {
    const learned = this.learned.slice(-MOST_UNWATCHED);
    const late = Math.min(MOST_FORECAST_AT_ONCE, Math.ceil(learned.length / 2));
    replayBetween(null, state, { started: learned.slice(0, -late), ended: [] }, this);
    this.fitWhenDue([]);
    this.model.finishFit();
    replayBetween(null, state, { started: learned.slice(-late), ended: [] }, this);
  }

  /** The same as `say`, which need not be said anew of a job that the model does not tell from another one. */
  private sayAgain(features: Float32Array, job: JobRequest, at: EpochSeconds, state: Snapshot): Said | null {
    const leaves = this.model.leavesOf(features);
    if (leaves === null) return null;
    const beside = levelClassesOf(job, at, 0, state.processors).join();
    return this.answers.of(leaves, beside, () => this.sayOf(leaves, job, at, state));
  }

  /** Null before the first fit. */
  private say(features: Float32Array, job: JobRequest, at: EpochSeconds, state: Snapshot | null): Said | null {
    const leaves = this.model.leavesOf(features);
    return leaves && this.sayOf(leaves, job, at, state);
  }

  private sayOf(leaves: Int32Array, job: JobRequest, at: EpochSeconds, state: Snapshot | null): Said | null {
    const spread = this.model.spreadOf(leaves);
    if (spread === null) return null;
    const { medianRoot } = spread;
    const beside = this.errors.nearest(medianRoot).map((error) => Math.max(0, medianRoot + error));
    const [median] = waitSecondsAt(HALF, spread, beside);
    const classes = levelClassesOf(job, at, median as number, state?.processors ?? null);
    return { medianRoot, quantileSeconds: waitSecondsAt(this.levels.of(classes), spread, beside), classes };
  }

  /** Of jobs that wait longer than was forecast, as if they waited some time more. */
  private errorsSoFar({ waiting, observedAt }: Snapshot): RootError[] {
    return waiting.flatMap(({ nativeId, submitAt }) => {
      const submission = this.pending.get(nativeId);
      if (submission?.submitAt !== submitAt || submission.said === null) return [];
      const { medianRoot } = submission.said;
      const error = Math.sqrt(LONGER_BY * Math.max(0, observedAt - submitAt)) - medianRoot;
      return error > 0 ? [{ forecastRoot: medianRoot, error }] : [];
    });
  }

  private fitWhenDue(waiting: readonly WaitingJob[]): void {
    if (!this.model.isDue) return;
    const still = waiting.flatMap((job) => {
      const submission = this.pending.get(job.nativeId);
      const ageSeconds = (this.before?.observedAt ?? job.submitAt) - job.submitAt;
      return submission?.submitAt === job.submitAt ? [{ features: submission.features, ageSeconds }] : [];
    });
    this.model.beginFit(still);
  }
}

/** A site whose parts are told has all features that there are. */
const EMPTY_PARTS: Snapshot = {
  ...{ observedAt: 0, processors: 0, freeProcessors: 0, waiting: [], running: [] },
  parts: [{ processors: 0, gpus: 0, memoryMebibytes: null }],
};
const ANY_JOB: JobRequest = { user: null, queue: null, processors: 1, requestedWalltimeSeconds: 1 };
/** Older snapshots say nothing of a submission. */
const FRESH_SECONDS = 1200;
const ERRORS_KEPT = 3000;
const NEAREST_ERRORS: NearestErrors = { share: 0.1, fewest: 30 };
/** So many times as long as they have waited. */
const LONGER_BY = 3;
const LEVEL_STEP = 0.001;
const HALF = Float64Array.of(0.5);
/** Index of the percentile 50. */
const MEDIAN = 49;
const MOST_PENDING = 20_000;
/** Of the waits that come without snapshots, as when a process starts, the last are taken in: all at one go. */
const MOST_UNWATCHED = 5000;
const MOST_FORECAST_AT_ONCE = 2000;
