import type { JobRecord } from '../../domain/job.ts';

/** What was noted of jobs at their submission, kept until their waits are known. Of more than `mostKept` the oldest go. */
export class SubmissionNotes<T> {
  private readonly notes = new Map<string, T>();

  constructor(private readonly mostKept = 50_000) {}

  keep(job: JobRecord, note: T): void {
    this.notes.set(keyOf(job), note);
    if (this.notes.size <= this.mostKept) return;
    const [oldest] = this.notes.keys();
    this.notes.delete(oldest as string);
  }

  /** Hands the note out and forgets it; undefined when there is none. */
  take(job: JobRecord): T | undefined {
    const key = keyOf(job);
    const note = this.notes.get(key);
    this.notes.delete(key);
    return note;
  }
}

function keyOf({ nativeId, submitAt }: JobRecord): string {
  return `${nativeId}@${submitAt}`;
}
