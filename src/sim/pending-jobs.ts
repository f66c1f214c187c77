import type { EpochSeconds } from '../domain/clock.ts';
import { JobState, type JobTable } from './job-table.ts';

/** Jobs handed in whose submission is still to come, in the order of it; of one moment in that of being handed in. */
export class PendingJobs {
  private jobs: number[] = [];
  private first = 0;

  constructor(private readonly table: JobTable) {}

  /** When the first is submitted; infinite without any. */
  get nextAt(): EpochSeconds {
    const job = this.jobs[this.first];
    return job === undefined ? Number.POSITIVE_INFINITY : (this.table.columns.submitAt[job] as number);
  }

  add(job: number): void {
    const { submitAt } = this.table.columns;
    const at = submitAt[job] as number;
    let position = this.jobs.length;
    while (position > this.first && (submitAt[this.jobs[position - 1] as number] as number) > at) position--;
    if (position === this.jobs.length) this.jobs.push(job);
    else this.jobs.splice(position, 0, job);
  }

  /** Takes out the first that is submitted by `now` and was not cancelled before. */
  takeUntil(now: EpochSeconds): number | undefined {
    const { submitAt, state } = this.table.columns;
    for (;;) {
      const job = this.jobs[this.first];
      if (job === undefined || (submitAt[job] as number) > now) return undefined;
      this.first++;
      if (this.first > SPENT_JOBS && this.first * 2 > this.jobs.length) {
        this.jobs = this.jobs.slice(this.first);
        this.first = 0;
      }
      if (state[job] === JobState.PENDING) return job;
    }
  }
}

/** Jobs that were taken out are forgotten when there are more than these, and more than are left. */
const SPENT_JOBS = 4096;
