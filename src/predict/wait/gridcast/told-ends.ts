import type { EpochSeconds } from '../../../domain/clock.ts';
import type { EndedRecord, JobRecord } from '../../../domain/job.ts';

/**
 * The ends of a site's jobs, as they are told. A snapshot may show that a job is gone before anybody tells how it
 * ended; its end is awaited for a while, and then taken to be as it looked. O(1) for each.
 */
export class ToldEnds {
  /** Told since the last snapshot. */
  private readonly told = new Map<string, EndedRecord>();
  /** Guesses, in the order in which they were made. */
  private readonly awaited = new Map<string, EndedRecord>();

  /** Takes in an end. Whether it was awaited; if not, it is kept until the next snapshot. */
  tell(record: EndedRecord): boolean {
    const name = nameOf(record);
    if (this.awaited.delete(name)) return true;
    this.told.set(name, record);
    if (this.told.size > MOST_KEPT) this.told.delete(this.told.keys().next().value as string);
    return false;
  }

  /** The end that was told of a job since the last snapshot. */
  of(job: Pick<JobRecord, 'nativeId' | 'submitAt'>): EndedRecord | undefined {
    return this.told.get(nameOf(job));
  }

  /** Waits for the end of a job that is gone, as which it looks like the guess. */
  await(guess: EndedRecord): void {
    this.awaited.set(nameOf(guess), guess);
  }

  /** Ends that were told since the last snapshot, the first first; they are forgotten. */
  takeTold(): EndedRecord[] {
    const ends = [...this.told.values()].sort((a, b) => a.endAt - b.endAt);
    this.told.clear();
    return ends;
  }

  /** Guesses that nobody has told better in time; they are awaited no longer. */
  takeOverdue(now: EpochSeconds): EndedRecord[] {
    const overdue = [...this.awaited.values()].filter(({ endAt }) => now - endAt > PATIENCE_SECONDS);
    for (const guess of overdue) this.awaited.delete(nameOf(guess));
    return overdue;
  }
}

function nameOf({ nativeId, submitAt }: Pick<JobRecord, 'nativeId' | 'submitAt'>): string {
  return `${nativeId}@${submitAt}`;
}

/** Accounting is read every few minutes. */
const PATIENCE_SECONDS = 900;
/** Of the ends that come without snapshots, as when a process starts, the last are kept. */
const MOST_KEPT = 12_000;
