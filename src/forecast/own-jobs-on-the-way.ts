import { type JobOnTheWay, type Snapshot, withJobsOnTheWay, withoutJobsOnTheWay } from '../domain/snapshot.ts';
import { OwnJobsDelay } from '../predict/wait/own-jobs-delay.ts';
import type { SeenWithOwnJobs } from './site-view.ts';

/** Our own jobs that are on their way to one site, put into what the site says. */
export class OwnJobsOnTheWay {
  private jobs: readonly JobOnTheWay[] = [];
  private names = '';
  /** What was made of the newest snapshot, for as long as neither it nor the jobs change. */
  private latest: (SeenWithOwnJobs & { readonly of: Snapshot; readonly names: string }) | null = null;

  /** Takes in which they are. @returns whether they are others than before */
  expect(jobs: readonly JobOnTheWay[]): boolean {
    const names = jobs.map(({ executionId, key }) => `${executionId} ${key}`).join();
    const areOthers = names !== this.names;
    [this.jobs, this.names] = [jobs, names];
    return areOthers;
  }

  /** What the site says with and without them; null where there are none, or the site was never observed. */
  seenIn(of: Snapshot | null): SeenWithOwnJobs | null {
    if (of === null || this.jobs.length === 0) return null;
    const { names } = this;
    if (this.latest?.of !== of || this.latest.names !== names) {
      const state = withJobsOnTheWay(of, this.jobs);
      const without = withoutJobsOnTheWay(of, this.jobs);
      this.latest = { of, names, state, without, delay: new OwnJobsDelay(state, without) };
    }
    return this.latest;
  }
}
