import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast } from '../../domain/forecast.ts';
import { isWithheld } from '../../domain/known-range.ts';
import type { Trajectory } from '../../domain/plan.ts';
import type { NativeJob } from '../../domain/site-adapter.ts';
import { type Snapshot, withoutJob } from '../../domain/snapshot.ts';
import { computeTrajectory } from '../../plan/trajectory.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import { nativeIdOf } from '../../sim/cluster-snapshot.ts';
import type { JobCard } from '../../sim/job-source.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Workload } from '../../sim/workload.ts';
import type { PromisingSite, ReservedWork } from './promising-site.ts';
import { type WatchedLogOptions, watchedLog } from './watched-log.ts';

/** Who asks for reservations. */
const RESERVING: JobCard = { user: 'varq', queue: null, key: null };

/** A log replayed under EASY as a site that reservations are submitted to, with a predictor that watches it. */
export class VarqSite implements PromisingSite {
  /** It always answers. */
  readonly patienceSeconds = 0;
  /** Shown every snapshot, after the predictor. */
  readonly onlookers = new Set<(state: Snapshot) => void>();
  private readonly site: ReplayedSite;

  constructor(
    workload: Workload,
    readonly processors: number,
    private readonly predictor: WaitPredictor,
    snapshotSeconds: number,
    options: WatchedLogOptions = {},
  ) {
    this.site = watchedLog(workload, processors, predictor, snapshotSeconds, {
      ...options,
      onObserved: (state) => {
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
   * Probability of the work running at its start for each submission from now on, by the newest snapshot.
   * @param without a job that would be given up before; -1 for none
   */
  trajectoryOf({ processors, runSeconds, startAt }: ReservedWork, without = -1): Trajectory {
    const state = this.site.latest && withoutJob(this.site.latest, nativeIdOf(without));
    return computeTrajectory({
      walltimeSeconds: runSeconds,
      startAt,
      holdUntilAt: startAt,
      earliestSubmitAt: this.now,
      maxWalltimeSeconds: null,
      forecastAt: (submitAt, walltimeSeconds) => this.forecastOf(processors, walltimeSeconds, submitAt, state),
    });
  }

  /** What it says of itself now. */
  snapshot(): Snapshot {
    return this.site.snapshot();
  }

  /** Whether the site has left the range it is known in too lately for anything to be promised of the work. */
  withholds({ processors, runSeconds }: ReservedWork): boolean {
    return isWithheld(this.forecastOf(processors, runSeconds, this.now).outsideKnownRange);
  }

  /** The wait of a job that is submitted then, by the newest snapshot. */
  forecastOf(
    processors: number,
    walltimeSeconds: number,
    submitAt: EpochSeconds,
    state: Snapshot | null = this.site.latest,
  ): WaitForecast {
    const { user, queue } = RESERVING;
    const request = { user, queue, processors, requestedWalltimeSeconds: walltimeSeconds };
    return this.predictor.predict({ ...request, submitAt, isOneOfMany: true }, state, this.now);
  }

  /** Hands the padded work in now. Returns the job's number. */
  submit({ processors, runSeconds, startAt }: ReservedWork): number {
    const submitAt = this.now;
    const walltimeSeconds = runSeconds + Math.max(0, startAt - submitAt);
    return this.site.submit({ submitAt, processors, walltimeSeconds, runSeconds, holdUntilAt: startAt }, RESERVING);
  }

  /** Hands somebody's work in now that nothing was promised of. */
  submitUnpromised({ processors, runSeconds, walltimeSeconds }: SimulatedJob, card: JobCard): void {
    this.site.submit({ submitAt: this.now, processors, runSeconds, walltimeSeconds }, card);
  }

  seen(job: number): NativeJob {
    return this.site.seen(job);
  }

  cancel(job: number): void {
    this.site.cancel(job);
  }
}
