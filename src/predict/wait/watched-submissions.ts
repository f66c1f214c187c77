import type { EndedRecord, StartedRecord } from '../../domain/job.ts';
import type { Snapshot, WaitingJob } from '../../domain/snapshot.ts';
import { type ReplayListener, replayBetween } from './gridcast/site-replay.ts';

/** What a predictor makes of a submission, and of its wait once that is known. */
export interface SubmissionReader<Note> {
  /** @param state as the job found it, only good during the call; null where nobody watched */
  noteOf(job: WaitingJob, state: Snapshot | null): Note;
  learned(record: StartedRecord, note: Note): void;
}

/**
 * Teaches each wait with what was noted at the job's submission. The state there is replayed from the snapshots around
 * it, so it is known to the second however seldom the site is looked at; waits that become known between two snapshots
 * are taught with the second. A site that was never observed teaches at once, without states.
 */
export class WatchedSubmissions<Note> {
  private readonly notes = new Map<string, Note>();
  private readonly listener: ReplayListener;
  private before: Snapshot | null = null;
  private untaught: StartedRecord[] = [];
  private ended: EndedRecord[] = [];

  constructor(private readonly reader: SubmissionReader<Note>) {
    this.listener = {
      submitted: (job, state) => this.note(job, state),
      started: (record) => this.teach(record),
      ended: () => {},
    };
  }

  observe(state: Snapshot): void {
    if (this.before && state.observedAt <= this.before.observedAt) return;
    const started = this.takeUntaught();
    const { ended } = this;
    this.ended = [];
    const isWatched = this.before !== null && state.observedAt - this.before.observedAt <= FRESH_SECONDS;
    if (isWatched) replayBetween(this.before, state, { started, ended }, this.listener);
    else for (const record of started) this.teach(record);
    this.before = state;
  }

  learn(record: StartedRecord): void {
    this.untaught.push(record);
    if (this.before !== null && this.untaught.length <= MOST_UNTAUGHT) return;
    for (const untaught of this.takeUntaught()) this.teach(untaught);
  }

  /** Takes in when a job ended, so that no state of later jobs shows it, and those of earlier ones do. */
  learnEnd(record: EndedRecord): void {
    if (this.before === null) return;
    this.ended.push(record);
    if (this.ended.length > MOST_UNTAUGHT) this.ended.shift();
  }

  private takeUntaught(): StartedRecord[] {
    const taken = this.untaught;
    this.untaught = [];
    return taken;
  }

  private note(job: WaitingJob, state: Snapshot | null): void {
    this.notes.set(keyOf(job), this.reader.noteOf(job, state));
    if (this.notes.size <= MOST_NOTED) return;
    const [oldest] = this.notes.keys();
    this.notes.delete(oldest as string);
  }

  private teach(record: StartedRecord): void {
    const key = keyOf(record);
    const note = this.notes.get(key) ?? this.reader.noteOf({ ...record, key: null }, null);
    this.notes.delete(key);
    this.reader.learned(record, note);
  }
}

function keyOf({ nativeId, submitAt }: { nativeId: string; submitAt: number }): string {
  return `${nativeId}@${submitAt}`;
}

/** Between snapshots that are farther apart too much has happened to be replayed. */
const FRESH_SECONDS = 1200;
/** Waits, and ends, that may be held back for a snapshot that does not come. */
const MOST_UNTAUGHT = 2000;
/** Of jobs that never start the oldest go. */
const MOST_NOTED = 50_000;
