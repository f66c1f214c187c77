import type { EpochSeconds } from '../domain/clock.ts';
import type { JobRecord } from '../domain/job.ts';
import type { SimulatedJob } from './job-table.ts';

/** What a source tells of a job beside what is planned on; its use is for when it has ended. */
export type SourceDetail = Pick<JobRecord, 'account' | 'group' | 'program' | 'use'>;

/** What a site shows of a job beside its size and times. */
export interface JobCard extends SourceDetail {
  readonly user: string | null;
  readonly queue: string | null;
  /** The submission key; null for other people's jobs. */
  readonly key: string | null;
}

/** Of whom nothing is known. */
export const NOBODY: JobCard = { user: null, queue: null, key: null };

/** Jobs that come to a machine one after another, in the order of their submission, numbered from 0 on. */
export interface JobSource {
  /** When the next one is submitted; infinite after the last. */
  readonly nextSubmitAt: EpochSeconds;
  /** The next one as it asks for the machine; null when it is left out. The first call gives number 0, and so on. */
  take(): SimulatedJob | null;
  /** Who submitted that one, which has been taken, and where to. */
  cardOf(number: number): JobCard;
}

/** A job with its owner. */
export interface OwnedJob extends SimulatedJob {
  readonly detail?: SourceDetail | undefined;
  readonly user: string | null;
  readonly queue: string | null;
}

/** An endless stream of jobs as a source. */
export class StreamedJobs implements JobSource {
  private upcoming: OwnedJob;
  private readonly cards: JobCard[] = [];

  constructor(private readonly stream: Iterator<OwnedJob, never>) {
    this.upcoming = stream.next().value;
  }

  get nextSubmitAt(): EpochSeconds {
    return this.upcoming.submitAt;
  }

  take(): SimulatedJob {
    const { user, queue, detail, ...job } = this.upcoming;
    this.cards.push({ user, queue, key: null, ...detail });
    this.upcoming = this.stream.next().value;
    return job;
  }

  cardOf(number: number): JobCard {
    return this.cards[number] ?? NOBODY;
  }
}
