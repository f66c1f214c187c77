import type { EpochSeconds } from '../../domain/clock.ts';
import { hasEnded, hasStarted } from '../../domain/job.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import type { SiteListener, WaitPredictor } from '../../predict/predictor.ts';
import { type JobSource, NOBODY } from '../../sim/job-source.ts';
import { type JobToStart, LookAhead, type SecondsToRun } from '../../sim/look-ahead.ts';
import { POLICIES } from '../../sim/policy.ts';
import { ReplayedSite } from '../../sim/replayed-site.ts';
import type { ExpectedRuntimes } from '../look-ahead/expected-runtimes.ts';
import type { StreamedJob } from './merged-stream.ts';

/** Who listens at a site, and what he expects of its jobs. */
export interface SiteWatch {
  readonly expected: ExpectedRuntimes | null;
  readonly waits: WaitPredictor | null;
  readonly snapshotSeconds: number;
}

const POLICY = POLICIES.easy;

/** A machine under EASY that takes what it is given, as it shows itself to those who choose among several. */
export class ShownSite {
  private readonly site: ReplayedSite;

  constructor(
    /** Its place among the sites. */
    readonly number: number,
    readonly processors: number,
    private readonly watch: SiteWatch,
  ) {
    const { waits, expected, snapshotSeconds } = watch;
    const record = (row: number) => this.site.record(row);
    this.site = new ReplayedSite(
      EMPTY,
      {
        processors,
        policy: POLICY,
        ...(waits && { watch: { fromAt: 0, everySeconds: snapshotSeconds } }),
      },
      {
        submitted: (row) => {
          expected?.submitted(row, record(row));
          waits?.submitted?.(submissionOf(record(row)));
        },
        started: (row) => {
          const started = record(row);
          expected?.started(started);
          if (hasStarted(started)) waits?.started?.(started);
        },
        ended: (row) => {
          const ended = record(row);
          expected?.ended(row, ended);
          if (hasEnded(ended)) waits?.ended?.(ended);
        },
        observed: (state) => (waits as SiteListener | null)?.observed?.(state),
      },
    );
  }

  advanceTo(at: EpochSeconds): void {
    this.site.advanceTo(at);
  }

  /** Hands a job in now. Returns its row. */
  submit(job: StreamedJob): number {
    const { user } = job;
    return this.site.submit({ ...job, submitAt: this.site.now }, { ...NOBODY, user });
  }

  endOf(row: number): EpochSeconds {
    return this.site.cluster.table.columns.endAt[row] as number;
  }

  startOf(row: number): EpochSeconds {
    return this.site.cluster.table.columns.startAt[row] as number;
  }

  get waitingJobs(): number {
    return [...this.site.cluster.waiting()].length;
  }

  /** Processors that jobs hold or wait for, as a share of all. */
  get requestedShare(): number {
    const { cluster } = this.site;
    const sizes = cluster.table.columns.processors;
    let requested = cluster.processors - cluster.freeProcessors;
    for (const row of cluster.waiting()) requested += sizes[row] as number;
    return requested / cluster.processors;
  }

  /** How long the machine would take for all that runs and waits, by the walltimes requested. */
  get requestedSeconds(): number {
    const { cluster } = this.site;
    const { processors, walltimeSeconds, expectedEndAt } = cluster.table.columns;
    let work = 0;
    for (const row of cluster.waiting()) work += (processors[row] as number) * (walltimeSeconds[row] as number);
    for (const row of cluster.running()) {
      work += (processors[row] as number) * ((expectedEndAt[row] as number) - cluster.now);
    }
    return work / cluster.processors;
  }

  /** The wait of a job by the site's own estimate: its queue goes on, every job until its walltime. */
  waitByRequests(job: JobToStart): number {
    const { walltimeSeconds, expectedEndAt } = this.site.cluster.table.columns;
    return this.waitIf(job, (row, isRunning) =>
      isRunning ? (expectedEndAt[row] as number) - this.site.now : (walltimeSeconds[row] as number),
    );
  }

  /** The wait of a job if nobody else came, every job running as long as it truly does. */
  waitByTruth(job: JobToStart): number {
    const { runSeconds, dueAt } = this.site.cluster.table.columns;
    return this.waitIf(job, (row, isRunning) =>
      isRunning ? (dueAt[row] as number) - this.site.now : (runSeconds[row] as number),
    );
  }

  /** The mean wait of a job if nobody else came, over the courses that things may take by what is expected. */
  waitByExpected(job: JobToStart): number {
    const { expected } = this.watch;
    if (!expected) return this.waitByRequests(job);
    let sum = 0;
    for (let course = 0; course < expected.courses; course++) {
      sum += this.waitIf(job, expected.course(course, this.site.cluster));
    }
    return sum / expected.courses;
  }

  /** By how much the work of a job, as it is expected, delays all those that wait here, taken together. Seconds. */
  delayOfOthers(job: StreamedJob): number {
    const { expected } = this.watch;
    const { waitingJobs } = this;
    if (!expected || waitingJobs === 0) return 0;
    const { user, processors, walltimeSeconds } = job;
    const request = { user, queue: null, processors, requestedWalltimeSeconds: walltimeSeconds };
    const percentiles = expected.percentilesOf(request, walltimeSeconds, this.site.now);
    const runSeconds = percentiles.reduce((sum, seconds) => sum + seconds, 0) / percentiles.length;
    return (waitingJobs * processors * runSeconds) / this.processors;
  }

  /** The mean of the percentiles of the wait that a predictor tells; infinite where it knows too little. */
  waitByPredictor({ user, processors, walltimeSeconds }: StreamedJob): number {
    const { waits } = this.watch;
    if (!waits) return Number.POSITIVE_INFINITY;
    const submitAt = this.site.now;
    const query = { user, queue: null, processors, requestedWalltimeSeconds: walltimeSeconds, submitAt };
    const { quantileSeconds } = waits.predict(query, this.site.snapshot(), submitAt);
    return quantileSeconds.reduce((sum, seconds) => sum + seconds, 0) / quantileSeconds.length;
  }

  private waitIf(job: JobToStart, secondsToRun: SecondsToRun): number {
    return new LookAhead(this.site.cluster, POLICY, secondsToRun).waitSeconds(job);
  }
}

/** Every job is handed in from outside. */
const EMPTY: JobSource = { nextSubmitAt: Number.POSITIVE_INFINITY, take: () => null, cardOf: () => NOBODY };
