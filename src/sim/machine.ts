import { invariant } from '../domain/failures.ts';
import { partitionPoint } from '../domain/partition-point.ts';
import { JobState, type JobTable, outcomeCode } from './job-table.ts';

/** When the head of a queue could start if running jobs end as expected, and what is left over beside it then. */
export interface HeadReservation {
  /** Infinity when the machine as it stands can never hold the job. */
  readonly shadowAt: number;
  /** Processors that stay free beside the head job from `shadowAt` on. */
  readonly extraProcessors: number;
}

/** The processors of a cluster and the jobs that hold them, ordered by when they are expected to end. */
export class Machine {
  now = 0;
  freeProcessors: number;
  startedCount = 0;
  /** Called after a job has started, with `dueAt` set. */
  onStart: (job: number) => void = () => {};
  private running = new Int32Array(64);
  private runningCount = 0;

  constructor(
    readonly table: JobTable,
    public processors: number,
    /** When a running job is expected to end, given its index; asked once as it starts. */
    private readonly expectedEndOf: (job: number) => number,
  ) {
    this.freeProcessors = processors;
  }

  /** Running jobs, the one expected to end first in front; those of one moment in the order of their starts. */
  get runningJobs(): Int32Array {
    return this.running.subarray(0, this.runningCount);
  }

  start(job: number): void {
    const columns = this.table.columns;
    const processors = columns.processors[job] as number;
    invariant(processors <= this.freeProcessors, `job ${job} needs ${processors} of ${this.freeProcessors} free`);
    this.freeProcessors -= processors;
    columns.state[job] = JobState.RUNNING;
    columns.startAt[job] = this.now;
    columns.startOrder[job] = this.startedCount++;
    this.foresee(job);
    columns.expectedEndAt[job] = this.expectedEndOf(job);
    this.insert(job);
    this.onStart(job);
  }

  /** Notes when a running job will end if nobody interferes, and how. */
  foresee(job: number): void {
    const { startAt, holdUntilAt, gateSeconds, walltimeSeconds, runSeconds, ...columns } = this.table.columns;
    const startedAt = startAt[job] as number;
    const gaveUpAt = startedAt + (gateSeconds[job] as number);
    const begunAt = Math.max(startedAt, holdUntilAt[job] as number);
    const isShut = !Number.isNaN(gaveUpAt);
    const naturalEndAt = isShut ? gaveUpAt : begunAt + (runSeconds[job] as number);
    const killAt = startedAt + (walltimeSeconds[job] as number);
    const ownOutcome = isShut ? outcomeCode('FAILED') : (columns.ownOutcome[job] as number);
    columns.dueAt[job] = Math.min(naturalEndAt, killAt);
    columns.outcome[job] = naturalEndAt > killAt ? outcomeCode('TIMEOUT') : ownOutcome;
  }

  /** Takes a running job off the machine at `now` with the outcome noted in its row. */
  finish(job: number): void {
    const columns = this.table.columns;
    columns.state[job] = JobState.ENDED;
    columns.endAt[job] = this.now;
    if (this.drop(job)) this.freeProcessors += columns.processors[job] as number;
  }

  /**
   * Counts as free, before their end is handled, the processors of jobs that are expected to end by now.
   * @returns whether there was any
   */
  releaseExpected(): boolean {
    const columns = this.table.columns;
    let due = 0;
    while (due < this.runningCount && (columns.expectedEndAt[this.running[due] as number] as number) <= this.now) {
      this.freeProcessors += columns.processors[this.running[due] as number] as number;
      due++;
    }
    this.running.copyWithin(0, due, this.runningCount);
    this.runningCount -= due;
    return due > 0;
  }

  /**
   * Moves the expected end of jobs that outran it, and go on running, to the moment at which they will be killed.
   * @returns the jobs moved
   */
  extendOverrun(): number[] {
    const columns = this.table.columns;
    const overrun: number[] = [];
    for (const job of this.runningJobs) {
      if ((columns.expectedEndAt[job] as number) > this.now) break;
      if ((columns.dueAt[job] as number) > this.now) overrun.push(job);
    }
    for (const job of overrun) {
      this.drop(job);
      const killAt = (columns.startAt[job] as number) + (columns.walltimeSeconds[job] as number);
      columns.expectedEndAt[job] = killAt;
      this.insert(job);
    }
    return overrun;
  }

  /** Shadow time and extra processors of a waiting job that needs `processors`, more than are free now. */
  reservationFor(processors: number): HeadReservation {
    const columns = this.table.columns;
    let free = this.freeProcessors;
    for (let index = 0; index < this.runningCount; index++) {
      const job = this.running[index] as number;
      free += columns.processors[job] as number;
      if (free < processors) continue;
      const shadowAt = columns.expectedEndAt[job] as number;
      for (index++; index < this.runningCount; index++) {
        const other = this.running[index] as number;
        if ((columns.expectedEndAt[other] as number) > shadowAt) break;
        free += columns.processors[other] as number;
      }
      return { shadowAt, extraProcessors: free - processors };
    }
    return { shadowAt: Number.POSITIVE_INFINITY, extraProcessors: 0 };
  }

  private insert(job: number): void {
    if (this.runningCount === this.running.length) {
      const wider = new Int32Array(this.running.length * 2);
      wider.set(this.running);
      this.running = wider;
    }
    const position = this.positionFor(job);
    this.running.copyWithin(position + 1, position, this.runningCount);
    this.running[position] = job;
    this.runningCount++;
  }

  /** Number of running jobs that come before `job` by expected end and start order. */
  private positionFor(job: number): number {
    const { expectedEndAt, startOrder } = this.table.columns;
    const endAt = expectedEndAt[job] as number;
    const order = startOrder[job] as number;
    return partitionPoint(this.runningCount, (index) => {
      const other = this.running[index] as number;
      const otherEndAt = expectedEndAt[other] as number;
      return otherEndAt < endAt || (otherEndAt === endAt && (startOrder[other] as number) < order);
    });
  }

  private drop(job: number): boolean {
    const position = this.positionFor(job);
    if (position >= this.runningCount || this.running[position] !== job) return false;
    this.running.copyWithin(position, position + 1, this.runningCount);
    this.runningCount--;
    return true;
  }
}
