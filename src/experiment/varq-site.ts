import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import { isWithheld } from '../domain/known-range.ts';
import type { Trajectory } from '../domain/plan.ts';
import { type Snapshot, withoutJob } from '../domain/snapshot.ts';
import { computeTrajectory } from '../plan/trajectory.ts';
import type { WaitPredictor } from '../predict/predictor.ts';
import { Cluster } from '../sim/cluster.ts';
import { clusterSnapshot, shownJob } from '../sim/cluster-snapshot.ts';
import type { SimulatedJob } from '../sim/job-table.ts';
import { POLICIES } from '../sim/policy.ts';
import { toSimulatedJob } from '../sim/simulate.ts';
import type { Workload } from '../sim/workload.ts';

/** The work a reservation is for. */
export interface ReservedWork {
  readonly processors: number;
  readonly runSeconds: number;
  readonly startAt: EpochSeconds;
}

/** What is unlike a whole log that is watched from its first job on. */
export interface VarqSiteOptions {
  /** Jobs of the log that are not handed in as they were. */
  readonly left?: ReadonlySet<number>;
  /** Before which the predictor sees nothing of the site; the first submission unless told. */
  readonly watchedFromAt?: EpochSeconds;
}

/** A log replayed under EASY as a site that reservations are submitted to, with a predictor that watches it. */
export class VarqSite {
  private readonly cluster: Cluster;
  private readonly left: ReadonlySet<number>;
  private nextJob = 0;
  private nextSnapshotAt: EpochSeconds;
  private latest: Snapshot | null = null;

  constructor(
    private readonly workload: Workload,
    readonly processors: number,
    private readonly predictor: WaitPredictor,
    private readonly snapshotSeconds: number,
    { left = new Set(), watchedFromAt }: VarqSiteOptions = {},
  ) {
    const fromAt = workload.columns.submitAt[0] ?? 0;
    this.left = left;
    this.nextSnapshotAt = watchedFromAt ?? fromAt;
    const learns = (at: EpochSeconds) => watchedFromAt === undefined || at >= watchedFromAt;
    this.cluster = new Cluster(
      { processors, policy: POLICIES.easy, fromAt, expectedJobs: workload.length },
      {
        started: (job, at) => {
          if (!learns(at)) return;
          this.predictor.learn({ ...shownJob(this.cluster, job), startAt: at, endAt: null, outcome: null });
        },
      },
    );
  }

  get now(): EpochSeconds {
    return this.cluster.now;
  }

  /** How many jobs of the log have been handed in. */
  get handedIn(): number {
    return this.nextJob;
  }

  /** Submission time of the log's next job; `Infinity` after the last. */
  get nextSubmitAt(): EpochSeconds {
    return this.nextJob < this.workload.length
      ? (this.workload.columns.submitAt[this.nextJob] as number)
      : Number.POSITIVE_INFINITY;
  }

  /** A job of the log as the machine would be asked to run it; null when it does not fit. */
  jobOfLog(index: number): SimulatedJob | null {
    return toSimulatedJob(this.workload, index, this.processors, 'ends-first', new Map());
  }

  /** Lets the log happen up to and including `at`, and takes the snapshots that fall due. */
  advanceTo(at: EpochSeconds): void {
    while (this.nextSubmitAt <= at) {
      this.observeUntil(this.nextSubmitAt);
      const index = this.nextJob++;
      const job = this.left.has(index) ? null : this.jobOfLog(index);
      if (job) this.cluster.submit(job);
    }
    this.observeUntil(at);
    this.cluster.advanceTo(at);
  }

  /**
   * Probability of the work running at its start for each submission from now on, by the newest snapshot.
   * @param without a job that would be given up before; -1 for none
   */
  trajectoryOf({ processors, runSeconds, startAt }: ReservedWork, without = -1): Trajectory {
    const state = this.latest && withoutJob(this.latest, String(without));
    return computeTrajectory({
      walltimeSeconds: runSeconds,
      startAt,
      holdUntilAt: startAt,
      earliestSubmitAt: this.cluster.now,
      maxWalltimeSeconds: null,
      forecastAt: (submitAt, walltimeSeconds) => this.forecastOf(processors, walltimeSeconds, submitAt, state),
    });
  }

  /** Whether the site has left the range it is known in too lately for anything to be promised of the work. */
  withholds({ processors, runSeconds }: ReservedWork): boolean {
    return isWithheld(this.forecastOf(processors, runSeconds, this.cluster.now).outsideKnownRange);
  }

  /** The wait of a job that is submitted then, by the newest snapshot. */
  forecastOf(
    processors: number,
    walltimeSeconds: number,
    submitAt: EpochSeconds,
    state: Snapshot | null = this.latest,
  ): WaitForecast {
    const query = { queue: null, user: 'varq', processors, walltimeSeconds, submitAt, isOneOfMany: true };
    return this.predictor.predict(query, state, this.cluster.now);
  }

  /** Hands the padded work in now. Returns the job's number. */
  submit({ processors, runSeconds, startAt }: ReservedWork): number {
    const submitAt = this.cluster.now;
    const walltimeSeconds = runSeconds + Math.max(0, startAt - submitAt);
    return this.cluster.submit({ submitAt, processors, walltimeSeconds, runSeconds, holdUntilAt: startAt });
  }

  /** Hands work in now that nothing was promised of. */
  submitUnpromised({ processors, runSeconds, walltimeSeconds }: SimulatedJob): void {
    this.cluster.submit({ submitAt: this.cluster.now, processors, runSeconds, walltimeSeconds });
  }

  /** When a job started; null while it has not. */
  startOf(job: number): EpochSeconds | null {
    const at = this.cluster.table.columns.startAt[job] as number;
    return Number.isNaN(at) ? null : at;
  }

  cancel(job: number): void {
    this.cluster.cancel(job);
  }

  private observeUntil(at: EpochSeconds): void {
    for (; this.nextSnapshotAt < at; this.nextSnapshotAt += this.snapshotSeconds) {
      this.cluster.advanceTo(this.nextSnapshotAt);
      this.latest = clusterSnapshot(this.cluster);
      this.predictor.observe?.(this.latest);
    }
  }
}
