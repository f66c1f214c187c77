import { DAY_SECONDS, type EpochSeconds } from '../../../domain/clock.ts';
import { plannedWalltimeSeconds, type StartedRecord } from '../../../domain/job.ts';
import type { Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import { ObservedSeries } from '../observed-series.ts';
import { loadClassFor, type SiteLoad } from '../site-load.ts';

/** How far ahead of the submission the load is looked at, in seconds. */
export const LEADS_SECONDS = [0, 300, 1800, 7200, 21_600] as const;

interface Note {
  readonly submitAt: EpochSeconds;
  readonly loadClasses: readonly number[];
  /** When a snapshot showed the job last. */
  seenAt: EpochSeconds;
}

/**
 * The load that jobs were planned to find, some time before their submissions. It is noted of each job when it is first
 * seen, so that plans of some hours are enough, however long jobs wait: of a site that is looked at every minute those
 * of a week were most of what its model took. O(jobs at the site) for each snapshot.
 */
export class LoadsBefore {
  private readonly series = new ObservedSeries<SiteLoad>({ leastApartSeconds: 50, mostKept: MOST_LOADS });
  private readonly notes = new Map<string, Note>();
  private observedAt: EpochSeconds = Number.NEGATIVE_INFINITY;
  private sweptAt: EpochSeconds = Number.NEGATIVE_INFINITY;

  /**
   * Takes in the plan of a state, and notes the jobs that were not there before.
   * @param load of the state, or of the part of it that is planned
   */
  observe(state: Snapshot, load: SiteLoad): void {
    const { observedAt, waiting, running } = state;
    this.series.add(load);
    for (const job of waiting) this.see(job, observedAt, true);
    for (const job of running) this.see(job, observedAt, job.submitAt > this.observedAt);
    this.observedAt = observedAt;
    if (observedAt - this.sweptAt >= SWEPT_EVERY_SECONDS) this.sweep(observedAt);
    while (this.notes.size > MOST_NOTES) this.notes.delete(this.notes.keys().next().value as string);
  }

  /** The class of the load at each lead before the submission; -1 where it was not known. The job is asked for once. */
  take(record: StartedRecord): readonly number[] {
    const note = this.notes.get(record.nativeId);
    if (note?.submitAt !== record.submitAt) return this.classesFor(record);
    this.notes.delete(record.nativeId);
    return note.loadClasses;
  }

  private see(job: WaitingJob, observedAt: EpochSeconds, isNew: boolean): void {
    const note = this.notes.get(job.nativeId);
    if (note?.submitAt === job.submitAt) note.seenAt = observedAt;
    else if (isNew) {
      const { submitAt } = job;
      this.notes.set(job.nativeId, { submitAt, loadClasses: this.classesFor(job), seenAt: observedAt });
    }
  }

  private classesFor(job: WaitingJob | StartedRecord): readonly number[] {
    return LEADS_SECONDS.map((lead) => {
      const load = this.series.newestUpTo(job.submitAt - lead);
      return load ? loadClassFor(load, job.processors, plannedWalltimeSeconds(job), job.submitAt) : -1;
    });
  }

  /** Of jobs that have gone nobody may ever ask; accounting tells of starts within a day. */
  private sweep(now: EpochSeconds): void {
    for (const [name, { seenAt }] of this.notes) if (seenAt < now - DAY_SECONDS) this.notes.delete(name);
    this.sweptAt = now;
  }
}

/** As many as are looked back, and some hours more for jobs that are only told of when they start. */
const MOST_LOADS = 600;
const SWEPT_EVERY_SECONDS = 3600;
/** Of more jobs the first to be noted go. */
const MOST_NOTES = 50_000;
