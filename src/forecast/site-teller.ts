import {
  asOfStart,
  type EndedRecord,
  hasEnded,
  hasStarted,
  type JobRecord,
  type StartedRecord,
  type SubmittedJob,
} from '../domain/job.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { submissionOf } from '../predict/past/reveal.ts';
import { type SiteEvent, tell } from '../predict/past/tell.ts';
import { type Sight, type WatchedPastOptions, watchPast } from '../predict/past/watched-past.ts';
import type { SiteListener } from '../predict/predictor.ts';

/** Tells several listeners what happens at one site, each thing once, however often its records come again. */
export class SiteTeller implements SiteListener {
  /** What has been told of jobs that are not over. */
  private readonly told = new Map<string, 'SUBMITTED' | 'STARTED'>();

  /** False while a past is read whose submissions come too late: records come in the order of their starts. */
  tellsSubmissions = true;

  constructor(private readonly listeners: readonly SiteListener[]) {}

  /** Takes in a new or changed record and tells what of it has not been told. */
  learn(record: JobRecord): void {
    const told = this.told.get(nameOf(record));
    if (told === undefined) this.submitted(submissionOf(record));
    if (told !== 'STARTED' && hasStarted(record)) this.started(asOfStart(record));
    if (hasEnded(record)) this.ended(record);
  }

  /** Tells of a past as if it was watched, sight after sight. */
  *liveThrough(past: readonly JobRecord[], options: WatchedPastOptions): Generator<Sight> {
    for (const sight of watchPast(past, options)) {
      tell(this, sight.kind === 'submit' ? { ...sight, laterSubmissions: past.length - 1 - sight.job } : sight);
      yield sight;
    }
  }

  submitted(job: SubmittedJob, laterSubmissions = 0): void {
    this.told.set(nameOf(job), 'SUBMITTED');
    if (this.tellsSubmissions) this.tellAll({ kind: 'submit', submission: job, laterSubmissions });
  }

  started(record: StartedRecord): void {
    this.told.set(nameOf(record), 'STARTED');
    this.tellAll({ kind: 'start', record });
  }

  ended(record: EndedRecord): void {
    this.told.delete(nameOf(record));
    this.tellAll({ kind: 'end', record });
  }

  observed(state: Snapshot): void {
    this.tellAll({ kind: 'snapshot', state });
  }

  private tellAll(event: SiteEvent): void {
    for (const listener of this.listeners) tell(listener, event);
  }
}

function nameOf({ nativeId, submitAt }: Pick<JobRecord, 'nativeId' | 'submitAt'>): string {
  return `${nativeId}@${submitAt}`;
}
