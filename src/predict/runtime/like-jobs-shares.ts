import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import type { EndedRecord, JobRequest } from '../../domain/job.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import type { OrderedSample } from '../../stats/ordered-sample.ts';
import { RecentShares } from './recent-shares.ts';
import { requestedSeconds, usedShare } from './used-share.ts';

/** What jobs have in common that are alike. No site tells projects apart from queues, so the queue is the project. */
export const KEY_TYPES = ['user', 'project', 'user+project', 'user+project+walltime'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** How many months of 30 days back jobs may have ended. */
export const WINDOWS = ['1', '2', '3', '6', '12', 'all'] as const;
export type WindowMonths = (typeof WINDOWS)[number];

export const MONTH_SECONDS = 30 * DAY_SECONDS;

/** Which jobs are alike, and how long they are remembered. */
export interface Likeness {
  readonly key: KeyType;
  readonly window: WindowMonths;
}

/**
 * What shares of their walltimes jobs used, by groups of jobs that are alike. Groups of which nothing counts any more
 * are forgotten, and of very many those heard of least recently. Learning is O(log n) amortised.
 * Source: Tang et al. 2013, JPDC 73(7), section 4.1.
 */
export class LikeJobsShares {
  private readonly groups = new Map<string, RecentShares>();
  private readonly windowSeconds: number;

  constructor(private readonly likeness: Likeness) {
    this.windowSeconds = likeness.window === 'all' ? Number.POSITIVE_INFINITY : Number(likeness.window) * MONTH_SECONDS;
  }

  /** Takes in what share of its walltime a job used, where its end tells that. */
  learn(record: EndedRecord): void {
    const share = usedShare(record);
    const key = this.keyOf(record);
    if (share === null || key === null) return;
    const group = this.groups.get(key) ?? new RecentShares(this.windowSeconds);
    this.groups.delete(key);
    this.groups.set(key, group);
    group.add(share, record.endAt);
    this.forgetGroups(record.endAt);
  }

  /** A job like this was submitted: nothing will be asked of its like at a moment before. */
  moveOn(job: JobRequest, at: EpochSeconds): void {
    const key = this.keyOf(job);
    if (key !== null) this.groups.get(key)?.moveOn(at);
  }

  /** What `look` sees of the shares that the like of a job used; null where the job has no like. */
  of<Seen>(job: JobRequest, now: EpochSeconds, look: (sample: OrderedSample) => Seen): Seen | null {
    const key = this.keyOf(job);
    const group = key === null ? undefined : this.groups.get(key);
    return group ? group.within(now, look) : null;
  }

  /** Null of a job without a walltime, and of nobody's where the user counts. */
  private keyOf(job: JobRequest): string | null {
    const requested = requestedSeconds(job);
    const { key } = this.likeness;
    if (requested === null || (job.user === null && key !== 'project')) return null;
    if (key === 'user') return job.user;
    if (key === 'project') return `${job.queue}`;
    const both = `${job.user}\0${job.queue}`;
    return key === 'user+project' ? both : `${both}\0${requested}`;
  }

  private forgetGroups(now: EpochSeconds): void {
    for (const [key, group] of this.groups) {
      if (this.groups.size <= MOST_GROUPS && group.newestAt > now - this.windowSeconds) return;
      this.groups.delete(key);
    }
  }
}

const MOST_GROUPS = 100_000;

keepClass(LikeJobsShares);
