import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast } from '../../domain/forecast.ts';
import type { Trajectory } from '../../domain/plan.ts';
import type { NativeJob } from '../../domain/site-adapter.ts';
import type { HeldWork } from '../../domain/snapshot.ts';

/** The work a reservation is for. */
export interface ReservedWork {
  readonly processors: number;
  readonly runSeconds: number;
  readonly startAt: EpochSeconds;
}

/** A site at which promises are kept, with what is forecast of it. Jobs are named by numbers. */
export interface PromisingSite {
  /** For how long its silence about a job is no proof that the job is gone. */
  readonly patienceSeconds: number;

  /**
   * Probability of the work running at its start for each submission from now on.
   * @param without a job that would be given up before; none unless told
   * @param by the promise that it is for, which gives way to those that were made before; to none unless told
   */
  trajectoryOf(work: ReservedWork, without?: number, by?: object): Trajectory;

  /** Takes in what a promise holds back from now on; null for nothing any more. */
  noteHeld(by: object, work: HeldWork | null): void;

  /** The wait of a job that is submitted then. */
  forecastOf(processors: number, walltimeSeconds: number, submitAt: EpochSeconds): WaitForecast;

  /** Hands the padded work in now. Returns the job's number. */
  submit(work: ReservedWork): number;

  /** What it says of a job now; null when it does not know it. */
  seen(job: number): NativeJob | null;

  /** Ends a job now; one that has ended stays as it is. */
  cancel(job: number): void;
}
