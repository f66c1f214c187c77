import type { EpochSeconds } from '../../../domain/clock.ts';
import type { EndedRecord, JobRequest, SubmittedJob } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import { type EmbeddingParameter, TextMemory, type TextSight } from '../../text/text-memory.ts';
import type { WeightedShare } from './like-runs.ts';
import { RunModel, type RunModelParameters, type RunView, type SaidShares } from './run-model.ts';

/** What is said of the runtime of a job. */
export interface SaidRuntime {
  readonly shares: SaidShares;
  /** Of which these are shares. */
  readonly scaleSeconds: number;
  /** That it is believed to run at most. */
  readonly mostSeconds: number;
  /** Those of the jobs that are like it. */
  likeShares(): WeightedShare[];
}

/**
 * Runtimes by all that is known of a job and its text. They are learned as shares of the best guess that texts alone
 * give, as trees cannot say a product of the numbers in a script; a little is added to it, so that jobs of a moment do
 * not become shares without bounds.
 */
export class TextRuns {
  private readonly memory: TextMemory;
  private readonly model: RunModel;
  private readonly sights = new Map<string, TextSight>();
  private longestSeconds = 0;

  constructor(parameters: RunModelParameters & EmbeddingParameter) {
    this.memory = new TextMemory(parameters.embedding > 0);
    this.model = new RunModel(parameters);
  }

  get isFitted(): boolean {
    return this.model.isFitted;
  }

  /** Its trees are grown by somebody else from now on. */
  leaveFitsToOthers(): void {
    this.model.leaveFitsToOthers();
  }

  /** @param view of the job without its text */
  submitted(job: SubmittedJob, name: string, view: RunView, isChecked: boolean): void {
    const sight = this.memory.see(job, job.submitAt);
    this.sights.set(name, sight);
    if (this.sights.size > MOST_SIGHTS) this.sights.delete(this.sights.keys().next().value as string);
    this.model.submitted(name, viewOf(view, sight), isChecked);
  }

  waitsNoLonger(name: string, at: EpochSeconds): void {
    this.model.waitsNoLonger(name, at);
  }

  /** @param runSeconds null where its end says nothing of how long such jobs run */
  ended(record: EndedRecord, name: string, runSeconds: number | null, mayWait: boolean): void {
    const sight = this.sights.get(name);
    this.sights.delete(name);
    this.model.ended(name, record.endAt, runSeconds, mayWait);
    if (runSeconds === null) return;
    this.longestSeconds = Math.max(this.longestSeconds, runSeconds);
    if (sight) this.memory.learn(record, sight, Math.log1p(runSeconds), record.endAt);
  }

  /**
   * At most what is requested or, where nothing is, the longest that is known of any job. Null before the first trees
   * are grown.
   */
  said(job: JobRequest, view: RunView, now: EpochSeconds): SaidRuntime | null {
    if (!this.isFitted) return null;
    const { features, scaleSeconds } = viewOf(view, this.memory.see(job, now));
    const shares = this.model.say(features);
    const mostSeconds = OVERRUN * (job.requestedWalltimeSeconds === null ? this.longestSeconds : view.scaleSeconds);
    return shares && { shares, scaleSeconds, mostSeconds, likeShares: () => this.model.likeShares(features) };
  }
}

function viewOf(view: RunView, { features, guess }: TextSight): RunView {
  const scaleSeconds = Number.isNaN(guess) ? view.scaleSeconds : LEAST_SCALE_SECONDS + Math.expm1(guess);
  const all = new Float32Array(view.features.length + features.length + 1);
  all.set(view.features);
  all.set(features, view.features.length);
  all[all.length - 1] = scaleSeconds / view.scaleSeconds;
  return { ...view, features: all, scaleSeconds };
}

const LEAST_SCALE_SECONDS = 10;
const MOST_SIGHTS = 50_000;
/** Sites end jobs a little after their walltime. */
const OVERRUN = 1.02;

keepClass(TextRuns);
