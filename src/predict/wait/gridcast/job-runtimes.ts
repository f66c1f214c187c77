import type { EpochSeconds } from '../../../domain/clock.ts';
import type { RuntimeForecast } from '../../../domain/forecast.ts';
import type { EndedRecord, JobRequest, StartedRecord, SubmittedJob } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import { partitionPoint } from '../../../domain/partition-point.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import type { RuntimePredictor } from '../../predictor.ts';

/** How long a job is going to run, as a runtime predictor says: percentiles 1..99. */
export class RuntimeSpread {
  private readonly percentiles: Float32Array;

  constructor({ quantileSeconds }: Pick<RuntimeForecast, 'quantileSeconds'>) {
    this.percentiles = Float32Array.from(quantileSeconds);
  }

  /** @param percentile from 1 to 99 */
  at(percentile: number): number {
    return this.percentiles[percentile - 1] as number;
  }

  get meanSeconds(): number {
    return this.meanFrom(0);
  }

  /** Mean of what is left of the distribution beyond what a job has run; null where nothing is. */
  meanBeyond(elapsedSeconds: number): number | null {
    const { percentiles } = this;
    const passed = partitionPoint(percentiles.length, (i) => (percentiles[i] as number) <= elapsedSeconds);
    return passed === percentiles.length ? null : this.meanFrom(passed);
  }

  private meanFrom(first: number): number {
    let sum = 0;
    for (let i = first; i < this.percentiles.length; i++) sum += this.percentiles[i] as number;
    return sum / (this.percentiles.length - first);
  }
}

/**
 * How long the jobs of a site are going to run, by a runtime predictor that is given. Each job is forecast once, when
 * it is handed in or, where nobody told that, when it is first seen to wait; while it runs that forecast is read beyond
 * what it has run. So it costs one forecast a job, whatever the length of the queue.
 */
export class JobRuntimes {
  private readonly spreads = new Map<string, RuntimeSpread>();
  private over: string[] = [];

  constructor(private readonly predictor: RuntimePredictor) {}

  leaveFitsToOthers(): void {
    this.predictor.leaveFitsToOthers?.();
  }

  submitted(job: SubmittedJob, laterSubmissions?: number): void {
    this.keep(job, null, job.submitAt);
    this.predictor.submitted?.(job, laterSubmissions);
  }

  started(record: StartedRecord): void {
    this.predictor.started?.(record);
  }

  ended(record: EndedRecord): void {
    this.predictor.ended?.(record);
    this.over.push(nameOf(record));
  }

  /** Takes in what the site says at one moment, after what happened before it has been looked at. */
  observed(state: Snapshot): void {
    this.predictor.observed?.(state);
    for (const name of this.over) this.spreads.delete(name);
    this.over = [];
    const unseen = state.waiting.filter((job) => !this.spreads.has(nameOf(job)));
    for (const job of unseen.slice(0, MOST_AT_ONCE)) this.keep(job, state, state.observedAt);
  }

  /** Of a job that was handed in; null where nothing is known of it, or of how long jobs run. */
  of(job: WaitingJob | RunningJob): RuntimeSpread | null {
    return this.spreads.get(nameOf(job)) ?? null;
  }

  /** Of a job that would be handed in now; null where nothing is known of how long jobs run. Changes nothing. */
  ask(job: JobRequest, state: Snapshot | null, now: EpochSeconds): RuntimeSpread | null {
    const forecast = this.predictor.predict(job, state, now);
    return Number.isFinite(forecast.quantileSeconds.at(-1)) ? new RuntimeSpread(forecast) : null;
  }

  private keep(job: SubmittedJob | WaitingJob, state: Snapshot | null, now: EpochSeconds): void {
    const name = nameOf(job);
    if (this.spreads.has(name)) return;
    const spread = this.ask(job, state, now);
    if (spread) this.spreads.set(name, spread);
    if (this.spreads.size > MOST_JOBS) this.spreads.delete(this.spreads.keys().next().value as string);
  }
}

/** Sites use the numbers of jobs again. */
function nameOf({ nativeId, submitAt }: { readonly nativeId: string; readonly submitAt: EpochSeconds }): string {
  return `${nativeId}@${submitAt}`;
}

/** Of a queue that is seen for the first time, so many jobs are forecast at each look. */
const MOST_AT_ONCE = 50;
/** Jobs of which nobody tells the end must not stay for ever. */
const MOST_JOBS = 20_000;

keepClass(RuntimeSpread);
