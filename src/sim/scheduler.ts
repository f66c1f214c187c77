/** The part of a cluster that decides who starts. It owns the queue; the machine owns the processors. */
export interface Scheduler {
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
}
