import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast } from '../../domain/forecast.ts';
import { isWithheld } from '../../domain/known-range.ts';
import type { Trajectory } from '../../domain/plan.ts';
import { type HeldWork, type Snapshot, withoutJob } from '../../domain/snapshot.ts';
import { computeTrajectory } from '../../plan/trajectory.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import { nativeIdOf } from '../../sim/cluster-snapshot.ts';
import type { JobCard } from '../../sim/job-source.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Workload } from '../../sim/workload.ts';
import { OwnWorkAtSite } from './own-work-at-site.ts';
import type { PromisingSite, ReservedWork } from './promising-site.ts';
import { type WatchedLogOptions, watchedLog } from './watched-log.ts';

/** Who asks for reservations. */
const RESERVING: JobCard = { user: 'varq', queue: null, key: null };

/** What is unlike a whole log that a predictor without a past watches. */
export interface VarqSiteOptions extends WatchedLogOptions {
  /** Since when the predictor knows the site; since it is watched unless told. */
  readonly knownFromAt?: EpochSeconds;
}

/**
 * A log replayed as a site that reservations are submitted to, with a predictor that watches it. Forecasts say how much
 * of its past is known, as those of live sites do.
 */
export class VarqSite implements PromisingSite {
  /** It always answers. */
  readonly patienceSeconds = 0;
  /** Shown every snapshot, after the predictor. */
  readonly onlookers = new Set<(state: Snapshot) => void>();
  private readonly site: ReplayedSite;
  private readonly own = new OwnWorkAtSite();
  private readonly knownFromAt: EpochSeconds;

  constructor(
    workload: Workload,
    readonly processors: number,
    private readonly predictor: WaitPredictor,
    snapshotSeconds: number,
    options: VarqSiteOptions = {},
  ) {
    const { watchedFromAt = Number.NEGATIVE_INFINITY } = options;
    this.knownFromAt = options.knownFromAt ?? Math.max(workload.columns.submitAt[0] ?? 0, watchedFromAt);
    this.site = watchedLog(workload, processors, predictor, snapshotSeconds, {
      ...options,
      onObserved: (state) => {
        this.own.observed(state);
        for (const look of this.onlookers) look(state);
      },
    });
  }

  get now(): EpochSeconds {
    return this.site.now;
  }

  /** How many jobs of the log have been handed in. */
  get handedIn(): number {
    return this.site.taken;
  }

  /** Submission time of the log's next job; `Infinity` after the last. */
  get nextSubmitAt(): EpochSeconds {
    return this.site.nextSubmitAt;
  }

  /** Lets the log happen up to and including `at`, and takes the snapshots that fall due. */
  advanceTo(at: EpochSeconds): void {
    this.site.advanceTo(at);
  }

  /**
   * Probability of the work running at its start for each submission from now on, by the newest snapshot and what was
   * submitted since.
   * @param without a job that would be given up before; -1 for none
   * @param by the promise that it is for, which gives way to those that were made before; to none unless told
   */
  trajectoryOf(work: ReservedWork, without = -1, by?: object): Trajectory {
    return this.trajectory(work, this.own.state && withoutJob(this.own.state, nativeIdOf(without)), by);
  }

  /** The same of work that gives way to all that promises hold back; null where they hold nothing. */
  trajectoryBesideHeld(work: ReservedWork): Trajectory | null {
    return this.own.isHeldBack ? this.trajectory(work, this.own.state, null) : null;
  }

  private trajectory(
    { processors, runSeconds, startAt }: ReservedWork,
    state: Snapshot | null,
    by: object | null | undefined,
  ): Trajectory {
    const delay = by === undefined ? null : this.own.delayOf(by, state);
    return computeTrajectory({
      walltimeSeconds: runSeconds,
      startAt,
      holdUntilAt: startAt,
      earliestSubmitAt: this.now,
      maxWalltimeSeconds: null,
      forecastAt: (submitAt, walltimeSeconds) => {
        const said = this.forecastOf(processors, walltimeSeconds, submitAt, state);
        const { user, queue } = RESERVING;
        const job = { user, queue, processors, requestedWalltimeSeconds: walltimeSeconds, submitAt };
        return delay?.applyTo(said, job) ?? said;
      },
    });
  }

  noteHeld(by: object, work: HeldWork | null): void {
    this.own.noteHeld(by, work);
  }

  /** What it says of itself now. */
  snapshot(): Snapshot {
    return this.site.snapshot();
  }

  /** Whether the site has left the range it is known in too lately for anything to be promised of the work. */
  withholds({ processors, runSeconds }: ReservedWork): boolean {
    return isWithheld(this.forecastOf(processors, runSeconds, this.now).outsideKnownRange);
  }

  /** The wait of a job that is submitted then, by the same. */
  forecastOf(
    processors: number,
    walltimeSeconds: number,
    submitAt: EpochSeconds,
    state: Snapshot | null = this.own.state,
  ): WaitForecast {
    const { user, queue } = RESERVING;
    const request = { user, queue, processors, requestedWalltimeSeconds: walltimeSeconds };
    const forecast = this.predictor.predict({ ...request, submitAt, isOneOfMany: true }, state, this.now);
    return { ...forecast, knownPastSeconds: Math.max(0, this.now - this.knownFromAt) };
  }

  /** Hands the padded work in now. Returns the job's number. */
  submit({ processors, runSeconds, startAt }: ReservedWork): number {
    const submitAt = this.now;
    const walltimeSeconds = runSeconds + Math.max(0, startAt - submitAt);
    const job = { submitAt, processors, walltimeSeconds, runSeconds, holdUntilAt: startAt };
    const number = this.site.submit(job, RESERVING);
    this.own.handedIn(nativeIdOf(number), submitAt, processors, walltimeSeconds);
    return number;
  }

  /** Hands somebody's work in now that nothing was promised of. */
  submitUnpromised({ processors, runSeconds, walltimeSeconds }: SimulatedJob, card: JobCard): void {
    this.site.submit({ submitAt: this.now, processors, runSeconds, walltimeSeconds }, card);
  }

  seen(job: number) {
    return this.site.seen(job);
  }

  cancel(job: number): void {
    this.site.cancel(job);
  }
}
