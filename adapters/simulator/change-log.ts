import type { EpochSeconds } from '../../src/domain/clock.ts';
import { partitionPoint } from '../../src/domain/partition-point.ts';

/** A job's start or end, in the order in which they happened. */
interface Change {
  readonly at: EpochSeconds;
  readonly job: number;
}

const HISTORY_PAGE_CHANGES = 20_000;

/** The starts and ends of a site's jobs, as its accounting tells of them. */
export class ChangeLog {
  private readonly changes: Change[] = [];

  /** Notes a job's start or end, which is not before the last one noted. */
  note(job: number, at: EpochSeconds): void {
    this.changes.push({ at, job });
  }

  /** Jobs that started or ended since then, oldest change first, each once, and where the next page begins. */
  page(since: EpochSeconds, visibleUntil: EpochSeconds): { jobs: ReadonlySet<number>; nextSince: EpochSeconds } {
    const jobs = new Set<number>();
    let nextSince = Math.max(since, visibleUntil);
    for (
      let index = partitionPoint(this.changes.length, (at) => (this.changes[at] as Change).at < since);
      index < this.changes.length;
      index++
    ) {
      const change = this.changes[index] as Change;
      if (change.at > visibleUntil) break;
      const full = jobs.size >= HISTORY_PAGE_CHANGES;
      if (full && change.at > since && change.at > (this.changes[index - 1] as Change).at) {
        nextSince = change.at;
        break;
      }
      jobs.add(change.job);
    }
    return { jobs, nextSince };
  }
}
