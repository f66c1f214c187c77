import type { EpochSeconds } from '../../../domain/clock.ts';
import { type JobRequest, type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { RunningJob, WaitingJob } from '../../../domain/snapshot.ts';
import { RecentGroups } from '../../recent-groups.ts';
import { UsedWalltimes } from '../../runtime/used-walltimes.ts';
import { SiteOutlook } from './site-outlook.ts';

/** The known waits of one group of jobs in short; not-a-number where there are none. */
export interface WaitTrail {
  /** Of the job of the group that started last. */
  readonly lastSeconds: number;
  readonly lastStartAt: EpochSeconds;
  /** Exponentially weighted means of the waits and of their logarithms. */
  readonly meanSeconds: number;
  readonly meanLog: number;
  readonly count: number;
}

type GrowingTrail = { -readonly [Name in keyof WaitTrail]: WaitTrail[Name] };

/**
 * Short-term memory of a site: the waits of its users, queues and shapes of jobs, and how much of their walltimes jobs
 * use. O(1) for each fact and question; of very many groups those that were heard of least recently are forgotten.
 */
export class SiteMemory {
  private readonly trails = new RecentGroups<GrowingTrail>();
  private readonly usedWalltimes = new UsedWalltimes();
  private learnedRuntimes = 0;

  /** @param outlook what others forecast of the site */
  constructor(readonly outlook: SiteOutlook = new SiteOutlook()) {}

  /** Takes in a wait that has become known. */
  learnWait(record: StartedRecord): void {
    const wait = Math.max(0, waitSeconds(record));
    this.extend(SITE_KEY, wait, record.startAt, SITE_STEP);
    this.extend(queueKey(record), wait, record.startAt, QUEUE_STEP);
    for (const key of [userKey(record), shapeKey(record), twinKey(record)]) {
      this.extend(key, wait, record.startAt, GROUP_STEP);
    }
  }

  /** Takes in how long a job ran. */
  learnRuntime(job: JobRequest, runSeconds: number): void {
    this.learnedRuntimes++;
    this.usedWalltimes.learn(job, runSeconds);
  }

  /** Higher whenever other runtimes may be expected than before. */
  get revision(): number {
    return this.learnedRuntimes + this.outlook.revision;
  }

  ofSite(): WaitTrail {
    return this.trailOf(SITE_KEY);
  }

  ofUser(job: JobRequest): WaitTrail {
    return this.trailOf(userKey(job));
  }

  ofQueue(job: JobRequest): WaitTrail {
    return this.trailOf(queueKey(job));
  }

  /** Jobs of the same queue, and of the same size and walltime within a factor of about 1.4. */
  ofShape(job: JobRequest): WaitTrail {
    return this.trailOf(shapeKey(job));
  }

  /** Jobs of the same user that asked for just the same. */
  ofTwins(job: JobRequest): WaitTrail {
    return this.trailOf(twinKey(job));
  }

  /** How long a job is expected to run: one that was handed in, or one that would be. */
  expectedRunSeconds(job: JobRequest | WaitingJob): number {
    const spread = 'submitAt' in job ? this.outlook.runtimes?.of(job) : null;
    return spread?.meanSeconds ?? this.usedWalltimes.expectedSeconds(job);
  }

  /**
   * The same for a job that runs already: one that outlived what was expected is expected to run half as long again.
   */
  expectedTotalSeconds(job: RunningJob, at: EpochSeconds): number {
    const elapsed = at - job.startAt;
    const expected = this.outlook.runtimes?.of(job)?.meanBeyond(elapsed) ?? this.expectedRunSeconds(job);
    if (elapsed < expected) return expected;
    const longest = job.requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY;
    return Math.max(elapsed + SOON_SECONDS, Math.min(longest, 1.5 * elapsed));
  }

  private trailOf(key: string): WaitTrail {
    return this.trails.get(key) ?? NO_TRAIL;
  }

  private extend(key: string, wait: number, startAt: EpochSeconds, leastStep: number): void {
    const trail = this.trails.get(key) ?? { lastSeconds: 0, lastStartAt: 0, meanSeconds: 0, meanLog: 0, count: 0 };
    this.trails.set(key, trail);
    const step = Math.max(leastStep, 1 / ++trail.count);
    trail.meanSeconds += step * (wait - trail.meanSeconds);
    trail.meanLog += step * (Math.log1p(wait) - trail.meanLog);
    trail.lastSeconds = wait;
    trail.lastStartAt = startAt;
  }
}

const SITE_KEY = 'site';

function userKey(job: JobRequest): string {
  return `user ${job.user}`;
}

function queueKey(job: JobRequest): string {
  return `queue ${job.queue}`;
}

function shapeKey(job: JobRequest): string {
  const size = Math.round(Math.log2(Math.max(1, job.processors)));
  const length = Math.round(Math.log2(Math.max(60, job.requestedWalltimeSeconds ?? 0)));
  return `shape ${job.queue} ${size} ${length}`;
}

function twinKey(job: JobRequest): string {
  return `twin ${job.user} ${job.queue} ${job.processors} ${job.requestedWalltimeSeconds}`;
}

const NO_TRAIL: WaitTrail = {
  lastSeconds: Number.NaN,
  lastStartAt: Number.NaN,
  meanSeconds: Number.NaN,
  meanLog: Number.NaN,
  count: 0,
};
const SITE_STEP = 0.03;
const QUEUE_STEP = 0.1;
const GROUP_STEP = 0.3;
const SOON_SECONDS = 60;
