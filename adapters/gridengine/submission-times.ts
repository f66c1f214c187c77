import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobDetail, ListedJob } from './parse.ts';

/** A listed job whose submission time is known. */
export type DatedJob = ListedJob & { readonly submitAt: EpochSeconds };

/**
 * When jobs were submitted. A listing tells it of waiting jobs only, so it is remembered until they have left, and
 * asked for in one more command when jobs are first seen running.
 */
export class SubmissionTimes {
  private known = new Map<string, EpochSeconds>();

  constructor(private readonly describe: (numbers: readonly string[]) => Promise<ReadonlyMap<string, JobDetail>>) {}

  /** The jobs with their submission times. Those that leave the queue meanwhile are left out. */
  async date(jobs: readonly ListedJob[]): Promise<DatedJob[]> {
    for (const { nativeId, submitAt } of jobs) {
      if (submitAt !== null) this.known.set(numberOf(nativeId), submitAt);
    }
    const missing = new Set(jobs.map(({ nativeId }) => numberOf(nativeId)).filter((number) => !this.known.has(number)));
    if (missing.size > 0) {
      for (const [number, { submitAt }] of await this.describe([...missing])) this.known.set(number, submitAt);
    }
    return jobs.flatMap((job) => {
      const submitAt = this.known.get(numberOf(job.nativeId));
      return submitAt === undefined ? [] : [{ ...job, submitAt }];
    });
  }

  /** Forgets all jobs but these. */
  keepOnly(jobs: readonly ListedJob[]): void {
    const numbers = new Set(jobs.map(({ nativeId }) => numberOf(nativeId)));
    this.known = new Map([...this.known].filter(([number]) => numbers.has(number)));
  }
}

/** The job's number, which the tasks of an array share. */
function numberOf(nativeId: string): string {
  return nativeId.split('.')[0] as string;
}
