import { hasEnded, hasStarted, type JobRecord, requestOf } from '../../domain/job.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import { tell } from '../../predict/past/tell.ts';
import type { SiteListener } from '../../predict/predictor.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import { POLICIES } from '../../sim/policy.ts';
import { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Workload } from '../../sim/workload.ts';

/** A log that runs through a machine under EASY. */
export interface ToldSiteOptions {
  readonly workload: Workload;
  /** What is known of its jobs, which are found by their ids: more than sizes and times where they have it. */
  readonly records: readonly JobRecord[];
  readonly processors: number;
  /** Told what happens; of starts nothing of the end, and of a job's use at its end. */
  readonly listeners: readonly SiteListener[];
  /** A job is handed in: before anything else of that moment has happened, and before the listeners know. */
  submitted?(row: number, record: JobRecord, site: ToldSite): void;
  started?(row: number, record: JobRecord): void;
  ended?(row: number, record: JobRecord): void;
}

/**
 * A simulated site of which predictors are told as of a real one: the jobs have the starts and ends of the simulation,
 * and all else that the log, or a generator, says of them.
 */
export class ToldSite {
  readonly site: ReplayedSite;
  readonly policy = POLICIES.easy;
  private readonly known = new Map<string, JobRecord>();
  private readonly numbers: string[] = [];

  constructor(private readonly options: ToldSiteOptions) {
    const { workload, records, processors } = options;
    for (const record of records) this.known.set(record.nativeId, record);
    this.site = new ReplayedSite(
      new LoggedJobs(workload, processors),
      {
        processors,
        policy: this.policy,
        fromAt: workload.columns.submitAt[0] ?? 0,
        expectedJobs: workload.length,
      },
      {
        submitted: (row) => this.handedIn(row),
        started: (row) => this.begun(row),
        ended: (row) => this.over(row),
      },
    );
  }

  /** The number in the log of the newest job. */
  get newest(): number {
    return this.site.taken - 1;
  }

  /** Lets the log run until its last job has ended. */
  runAll(onProgress: (doneJobs: number) => void): void {
    const { length, columns } = this.options.workload;
    for (let job = 0; job < length; job += PROGRESS_JOBS) {
      onProgress(job);
      this.site.advanceTo(columns.submitAt[Math.min(job + PROGRESS_JOBS, length) - 1] as number);
    }
    this.site.advanceTo(Number.POSITIVE_INFINITY);
  }

  private handedIn(row: number): void {
    this.numbers[row] = String(this.options.workload.columns.id[this.newest]);
    const record = this.recordOf(row);
    this.options.submitted?.(row, record, this);
    this.tellAll({ kind: 'submit', submission: submissionOf(record) });
  }

  private begun(row: number): void {
    const record = this.recordOf(row);
    this.options.started?.(row, record);
    if (hasStarted(record)) this.tellAll({ kind: 'start', record });
  }

  private over(row: number): void {
    const known = this.known.get(this.numbers[row] as string);
    const record = { ...this.recordOf(row), ...(known?.use ? { use: known.use } : {}) };
    this.options.ended?.(row, record);
    if (hasEnded(record)) this.tellAll({ kind: 'end', record });
  }

  private recordOf(row: number): JobRecord {
    const simulated = this.site.record(row);
    return { ...simulated, ...this.requestOf(row, simulated) };
  }

  private requestOf(row: number, simulated: JobRecord) {
    return requestOf(this.known.get(this.numbers[row] as string) ?? simulated);
  }

  private tellAll(event: Parameters<typeof tell>[1]): void {
    for (const listener of this.options.listeners) tell(listener, event);
  }
}

const PROGRESS_JOBS = 500;
