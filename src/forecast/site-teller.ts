import {
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
    if (told !== 'STARTED' && hasStarted(record)) this.started({ ...record, endAt: null, outcome: null });
    if (hasEnded(record)) this.ended(record);
  }

  submitted(job: SubmittedJob): void {
    this.submittedBefore(job, 0);
  }

  /** A job of the past was handed in, and so many after it. */
  submittedBefore(job: SubmittedJob, laterSubmissions: number): void {
    this.told.set(nameOf(job), 'SUBMITTED');
    if (!this.tellsSubmissions) return;
    for (const listener of this.listeners) {
      const { pastSubmissions = Number.POSITIVE_INFINITY } = listener;
      if (laterSubmissions < pastSubmissions) tell(listener, { kind: 'submit', submission: job });
    }
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
