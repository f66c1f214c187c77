import TinyQueue from 'tinyqueue';
import type { EpochSeconds } from '../domain/clock.ts';
import { JobState, type JobTable } from './job-table.ts';

/** The running jobs of a cluster in the order in which they will end, those of one moment in that of their starts. */
export class Ends {
  private queue: TinyQueue<number>;

  constructor(private readonly table: JobTable) {
    this.queue = this.inOrder([]);
  }

  /** Of a job that has started, with `dueAt` set. */
  add(job: number): void {
    this.queue.push(job);
  }

  /** When the next one ends; infinite when nobody runs. */
  get nextAt(): EpochSeconds {
    const job = this.next();
    return job === undefined ? Number.POSITIVE_INFINITY : (this.table.columns.dueAt[job] as number);
  }

  /** The next one that ends by then, which is not kept. */
  takeUntil(at: EpochSeconds): number | undefined {
    return this.nextAt > at ? undefined : this.queue.pop();
  }

  /** Puts the running jobs in order anew, because one will end at another moment than before. */
  reorder(running: Iterable<number>): void {
    this.queue = this.inOrder([...running]);
  }

  /** Killed jobs stay in the heap until they come up. */
  private next(): number | undefined {
    const { state } = this.table.columns;
    let job = this.queue.peek();
    for (; job !== undefined && state[job] === JobState.ENDED; job = this.queue.peek()) this.queue.pop();
    return job;
  }

  private inOrder(jobs: number[]): TinyQueue<number> {
    return new TinyQueue(jobs, (a, b) => {
      const { dueAt, startOrder } = this.table.columns;
      return (dueAt[a] as number) - (dueAt[b] as number) || (startOrder[a] as number) - (startOrder[b] as number);
    });
  }
}
