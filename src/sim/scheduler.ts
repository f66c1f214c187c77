/** What a scheduler must remember beside the jobs' own rows to go on identically. */
export interface SchedulerState {
  /** The queue in the order of arrival. */
  readonly waiting: readonly number[];
  /** Guaranteed starts of the waiting jobs; null for policies without guarantees. */
  readonly promisedAt: readonly number[] | null;
  /** Whether the guarantees must be made anew at the next pass. */
  readonly stale: boolean;
}

/** The part of a cluster that decides who starts. It owns the queue; the machine owns the processors. */
export interface Scheduler {
  readonly waitingCount: number;
  /** When the scheduler wants a pass although nothing happens; infinite when it never does. */
  readonly wakeAt: number;
  /** A job joins the queue. */
  arrived(job: number): void;
  /** A waiting job leaves the queue without having started. */
  withdrawn(job: number): void;
  /** A running job left the machine, its processors are free. */
  ended(job: number): void;
  /** Jobs expected to end by now count as free although their ends are still to be handled. */
  expectedEndsCame(): void;
  /** What was believed of running jobs or of the machine's size no longer holds. */
  surprised(): void;
  /** Starts every job that may start now. */
  pass(): void;
  /** The waiting jobs in queue order. */
  waiting(): Iterable<number>;
  save(): SchedulerState;
  /** Takes over a saved queue; the running jobs are on the machine already. */
  restore(state: SchedulerState): void;
}
