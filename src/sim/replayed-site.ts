import type { EpochSeconds } from '../domain/clock.ts';
import { invariant } from '../domain/failures.ts';
import type { JobRecord } from '../domain/job.ts';
import type { NativeJob } from '../domain/site-adapter.ts';
import type { Snapshot, WaitingJob } from '../domain/snapshot.ts';
import { Agenda } from './agenda.ts';
import { Cluster, type ClusterListener, type ClusterOptions } from './cluster.ts';
import { clusterSnapshot, nativeJobOf, recordedJob, shownJob } from './cluster-snapshot.ts';
import { beliefOf, type RuntimeEstimates } from './estimates.ts';
import { type JobCard, type JobSource, NOBODY } from './job-source.ts';
import type { SimulatedJob } from './job-table.ts';
import type { SubmissionHook } from './submission-hook.ts';

/** What is unlike a machine that takes the jobs as they come. */
export interface ReplayedSiteOptions extends Omit<ClusterOptions, 'belief'> {
  /** May reshape, delay and leave out jobs as they are submitted. */
  readonly atSubmission?: SubmissionHook;
  readonly estimates?: RuntimeEstimates;
  /** When snapshots are taken; never unless told. */
  readonly watch?: { readonly fromAt: EpochSeconds; readonly everySeconds: number };
  /** Whether the site says whose a job is and which queue it is in; it does unless told. */
  readonly showsOwners?: boolean;
}

/** Told what happens at a site, each thing as it happens. Jobs are named by their rows. */
export interface ReplayedSiteListener extends ClusterListener {
  /** Told before anything else of that moment has happened. */
  submitted?(job: number, at: EpochSeconds): void;
  /** Of a moment that is over. */
  observed?(snapshot: Snapshot): void;
}

/**
 * A machine that lives through the jobs of a source, and takes others beside them: what simulations, experiments and
 * simulated sites have in common. Everything up to and including `now` has happened, apart from a snapshot that is due
 * right now: it is taken when time moves on, to show what is done at this moment, too.
 */
export class ReplayedSite {
  readonly cluster: Cluster;
  /** How many jobs of the source have been taken. */
  taken = 0;
  /** The newest snapshot taken; null before the first. */
  latest: Snapshot | null = null;
  private nextSnapshotAt: EpochSeconds;
  private readonly numbers: number[] = [];
  /** Of the jobs that the source knows nothing of, or knows otherwise. */
  private readonly cards = new Map<number, JobCard>();
  private readonly putOff = new Agenda();

  constructor(
    private readonly source: JobSource,
    private readonly options: ReplayedSiteOptions,
    private readonly listener: ReplayedSiteListener = {},
  ) {
    const { estimates } = options;
    const belief =
      estimates &&
      beliefOf(
        estimates,
        (job) => this.shown(job),
        (job) => this.record(job),
      );
    this.cluster = new Cluster({ ...options, ...(belief ? { belief } : {}) }, listener);
    this.nextSnapshotAt = options.watch?.fromAt ?? Number.POSITIVE_INFINITY;
  }

  get now(): EpochSeconds {
    return this.cluster.now;
  }

  /** When the next job comes that is not handed in from outside; infinite after the last. */
  get nextSubmitAt(): EpochSeconds {
    return Math.min(this.source.nextSubmitAt, this.putOff.nextAt);
  }

  /** Lets everything up to and including `at` happen; until nothing more ever will when that is infinite. */
  advanceTo(at: EpochSeconds): void {
    for (let next = this.nextSubmitAt; next <= at && next < Number.POSITIVE_INFINITY; next = this.nextSubmitAt) {
      this.observeBefore(next);
      if (next > this.cluster.now) this.cluster.advanceBefore(next);
      if (this.source.nextSubmitAt < this.putOff.nextAt) this.takeNext(next);
      else this.putOff.next();
    }
    this.observeBefore(at);
    this.cluster.advanceTo(at);
  }

  /**
   * Hands a job in beside those of the source, at a moment that is not past.
   * @returns its row
   * @throws SubmissionRefused, RangeError as `Cluster.submit` does
   */
  submit(job: SimulatedJob, card: JobCard = NOBODY): number {
    const row = this.handIn(job, OUTSIDER);
    this.cards.set(row, card);
    return row;
  }

  /** Ends a job now; one that has ended stays as it is. Returns whether anything changed. */
  cancel(job: number): boolean {
    return this.cluster.cancel(job);
  }

  /** Tells a job that waits at its gate to begin its run. Returns whether anything changed. */
  openGate(job: number): boolean {
    return this.cluster.openGate(job);
  }

  /** The number in the source of the job in each row; -1 for those handed in from outside. */
  get sourceNumbers(): Int32Array {
    return new Int32Array(this.numbers);
  }

  /** When a job started; null while it has not. */
  startOf(job: number): EpochSeconds | null {
    const at = this.cluster.table.columns.startAt[job] as number;
    return Number.isNaN(at) ? null : at;
  }

  /** What the site says of itself now. */
  snapshot(): Snapshot {
    return clusterSnapshot(this.cluster, (job) => this.cardOf(job));
  }

  /** What it shows of a job, whether or not it has started. */
  shown(job: number): WaitingJob {
    return shownJob(this.cluster, job, this.cardOf(job));
  }

  /** What it says of a job to somebody who tracks it. */
  seen(job: number): NativeJob {
    return nativeJobOf(this.cluster, job);
  }

  /** A job's history up to and including `visibleUntil`; all there is unless told. */
  record(job: number, visibleUntil?: EpochSeconds): JobRecord {
    return recordedJob(this.cluster, job, this.cardOf(job), visibleUntil);
  }

  private cardOf(job: number): JobCard {
    const card = this.cards.get(job) ?? this.source.cardOf(this.numbers[job] as number);
    return this.options.showsOwners === false ? { ...NOBODY, key: card.key } : card;
  }

  private takeNext(at: EpochSeconds): void {
    const number = this.taken++;
    const job = this.source.take();
    if (!job) return;
    if (this.options.atSubmission) this.ask(this.options.atSubmission, number, job, at);
    else this.handIn(job, number);
  }

  private ask(hook: SubmissionHook, number: number, job: SimulatedJob, at: EpochSeconds): void {
    const card = this.source.cardOf(number);
    const said = hook({ ...card, number, job, at }, this);
    if (!said) return;
    const { submitAt } = said;
    invariant(submitAt < Number.POSITIVE_INFINITY, `job ${number} of the source is put off to ${submitAt}`);
    if (submitAt > at) this.putOff.add(onceAt(submitAt, () => this.ask(hook, number, job, submitAt)));
    else {
      const row = this.handIn({ ...said, submitAt: at }, number);
      if (said.queue !== undefined) this.cards.set(row, { ...card, queue: said.queue });
    }
  }

  private handIn(job: SimulatedJob, number: number): number {
    const row = this.cluster.submit(job);
    this.numbers[row] = number;
    this.listener.submitted?.(row, job.submitAt);
    return row;
  }

  private observeBefore(at: EpochSeconds): void {
    while (this.nextSnapshotAt < at && (at < Number.POSITIVE_INFINITY || this.cluster.nextEventAt() < at)) {
      this.cluster.advanceTo(this.nextSnapshotAt);
      this.nextSnapshotAt += this.options.watch?.everySeconds ?? Number.POSITIVE_INFINITY;
      this.latest = this.snapshot();
      this.listener.observed?.(this.latest);
    }
  }
}

/** Something that is done once. */
function onceAt(at: EpochSeconds, act: () => void) {
  return {
    dueAt: at,
    next() {
      this.dueAt = Number.POSITIVE_INFINITY;
      act();
    },
  };
}

const OUTSIDER = -1;
