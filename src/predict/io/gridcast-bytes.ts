import type { EpochSeconds } from '../../domain/clock.ts';
import { type BytesForecast, withinPercentiles } from '../../domain/forecast.ts';
import type { EndedRecord, JobRecord, JobRequest, SubmittedJob } from '../../domain/job.ts';
import type { IoBytes } from '../../domain/job-use.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { UserLastBytes } from '../baseline/user-last-bytes.ts';
import type { BytesPredictor } from '../predictor.ts';
import { RecentGroups } from '../recent-groups.ts';
import { RunModel, type RunModelParameters, type RunView, type SaidShares } from '../runtime/gridcast/run-model.ts';
import { AmountTrail } from '../text/amount-trail.ts';
import { type EmbeddingParameter, TextMemory, type TextSight } from '../text/text-memory.ts';
import { knownBytes } from './known-bytes.ts';
import { LeastWrongPoint, type Points } from './least-wrong-point.ts';

export interface GridcastBytesParameters extends RunModelParameters, EmbeddingParameter {
  /** Of so many submissions one is forecast by itself, so that the levels are known to come true. */
  readonly checkEvery: number;
  /** Whether what is known of jobs' texts is used: `on` or `off`. */
  readonly names: 'on' | 'off';
}

export const GRIDCAST_BYTES_DEFAULTS: GridcastBytesParameters = {
  trees: 100,
  learningRate: 0.1,
  sharpness: 16,
  capacity: 6000,
  fitEvery: 500,
  checkEvery: 3,
  levelStep: 0.01,
  names: 'on',
  embedding: 0,
};

/**
 * How many bytes a job reads, or writes: the trees and texts of `runtime/gridcast`, of logarithms. What is learned is
 * how far jobs are off the best guess that their text, user, size and walltime give; the spread is that of the jobs
 * that the trees find like it, its levels corrected online. Before the trees know 200 jobs it says what
 * `baseline/user-last-bytes` says. Where a site tells no bytes it keeps nothing.
 */
export class GridcastBytes implements BytesPredictor {
  readonly name = 'io/gridcast';
  readonly version = '3';
  private readonly memory: TextMemory;
  private readonly model: RunModel;
  private readonly beforeFit: UserLastBytes;
  private readonly points = new LeastWrongPoint();
  /** By the name of the queue, logarithms of bytes. */
  private readonly queues = new RecentGroups<AmountTrail>();
  private readonly sights = new Map<string, { readonly text: TextSight; readonly said: Points | null }>();
  private submissions = 0;
  private isTold = false;

  /** @param which of the two is predicted */
  constructor(
    private readonly which: IoBytes,
    private readonly parameters: GridcastBytesParameters = GRIDCAST_BYTES_DEFAULTS,
  ) {
    this.memory = new TextMemory(parameters.embedding > 0);
    this.model = new RunModel(parameters);
    this.beforeFit = new UserLastBytes(which);
  }

  predict(job: JobRequest, state: Snapshot | null, now: EpochSeconds): BytesForecast {
    const known = this.known(job);
    const sight = this.model.isFitted ? this.memory.see(known, now) : null;
    const said = sight && this.model.say(this.viewOf(known, sight).features);
    if (!said) return { ...this.beforeFit.predict(job, state, now), predictor: this.name, version: this.version };
    const bytesAt = (off: number) => Math.max(0, Math.expm1(guessOf(sight) + off));
    const quantileBytes = said.percentiles.map(bytesAt);
    const off = this.points.best(pointsOf(said));
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: said.sampleSize,
      pointBytes: withinPercentiles(bytesAt(off), quantileBytes),
      quantileBytes,
    };
  }

  leaveFitsToOthers(): void {
    this.model.leaveFitsToOthers();
  }

  submitted(job: SubmittedJob, laterSubmissions = 0): void {
    if (!this.isTold || laterSubmissions >= this.parameters.capacity) return;
    const known = this.known(job);
    const sight = this.memory.see(known, job.submitAt);
    const isChecked = this.submissions++ % this.parameters.checkEvery === 0 && laterSubmissions === 0;
    const said = this.model.submitted(nameOf(job), this.viewOf(known, sight), isChecked);
    this.sights.set(nameOf(job), { text: sight, said: said && pointsOf(said) });
    if (this.sights.size > MOST_SIGHTS) this.sights.delete(this.sights.keys().next().value as string);
  }

  ended(record: EndedRecord): void {
    this.beforeFit.ended(record);
    const bytes = knownBytes(record, this.which);
    if (bytes !== null) this.isTold = true;
    const sight = this.sights.get(nameOf(record));
    this.sights.delete(nameOf(record));
    const amount = bytes === null ? null : Math.log1p(bytes);
    const off = amount === null || !sight ? null : roundedUp(amount - guessOf(sight.text));
    this.model.ended(nameOf(record), record.endAt, off, false);
    if (off !== null && sight?.said) this.points.learn(sight.said, off);
    if (amount === null || !sight) return;
    this.memory.learn(this.known(record), sight.text, amount, record.endAt);
    if (record.queue !== null) this.queues.heardOf(record.queue, () => new AmountTrail()).learn(amount, record.endAt);
  }

  /** Nothing is learned from jobs that run: what they will have read and written is not told. */
  private viewOf({ processors, requestedWalltimeSeconds, queue }: JobRequest, { features }: TextSight): RunView {
    const walltime = requestedWalltimeSeconds ?? Number.NaN;
    const ofQueue = queue === null ? undefined : this.queues.get(queue);
    const own = [processors, walltime, processors * walltime, ofQueue?.mean ?? Number.NaN];
    return { features: Float32Array.of(...own, ...features), scaleSeconds: 1, longestSeconds: -1 };
  }

  private known<Job extends JobRequest>(job: Job): Job {
    return this.parameters.names === 'on' ? job : { ...job, program: undefined, account: undefined, group: undefined };
  }
}

/** How far a job may be thought to be off its guess. */
function pointsOf({ median, middle }: SaidShares): Points {
  return { guess: 0, middle, trees: (median + middle) / 2 };
}

function guessOf({ guess }: TextSight): number {
  return Number.isNaN(guess) ? 0 : guess;
}

/** Jobs that are as far off are so exactly, and none is above a bound by the rounding of a logarithm. */
function roundedUp(off: number): number {
  return Math.ceil(off * ROUNDING) / ROUNDING;
}

/** Sites use the numbers of jobs again. */
function nameOf({ nativeId, submitAt }: Pick<JobRecord, 'nativeId' | 'submitAt'>): string {
  return `${nativeId}@${submitAt}`;
}

const ROUNDING = 1e6;
const MOST_SIGHTS = 50_000;
