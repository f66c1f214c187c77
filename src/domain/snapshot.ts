import type { EpochSeconds } from './clock.ts';
import type { JobRequest } from './job.ts';
import type { SitePart } from './site-part.ts';

/** A job that waits in a site's queue. */
export interface WaitingJob extends JobRequest {
  readonly nativeId: string;
  /** The submission key found in the job's name or comment; null for other people's jobs. */
  readonly key: string | null;
  readonly submitAt: EpochSeconds;
  /** Why it waits, or that it is suspended, in the site's own word; absent or null where the site does not say. */
  readonly reason?: string | null;
  /** When the site itself expects to start it. */
  readonly estimatedStartAt?: EpochSeconds | null;
  /** Its rank in the site's own figures, which compare within the site only; the larger the sooner. */
  readonly priority?: number | null;
}

/** A job that holds processors of a site. */
export interface RunningJob extends WaitingJob {
  readonly startAt: EpochSeconds;
}

/** What a site says at one moment. */
export interface Snapshot {
  readonly observedAt: EpochSeconds;
  readonly processors: number;
  readonly freeProcessors: number;
  /** In the order the site lists them, which for most is the order of its queue. */
  readonly waiting: readonly WaitingJob[];
  readonly running: readonly RunningJob[];
  /** What its nodes have, by the queues that share them; absent where that is not told. Adapters leave it out. */
  readonly parts?: readonly SitePart[];
  /** Seconds by which the site's clock is ahead of ours, as measured by whoever asked: adapters leave it out. */
  readonly clockSkewSeconds?: number;
}

/**
 * What the site would say without one of its jobs, whose processors would be free. The very same snapshot when it has
 * no such job.
 */
export function withoutJob(snapshot: Snapshot, nativeId: string): Snapshot {
  const isOther = (job: WaitingJob) => job.nativeId !== nativeId;
  const running = snapshot.running.filter(isOther);
  const waiting = snapshot.waiting.filter(isOther);
  if (running.length === snapshot.running.length && waiting.length === snapshot.waiting.length) return snapshot;
  const own = snapshot.running.find((job) => !isOther(job));
  return { ...snapshot, running, waiting, freeProcessors: snapshot.freeProcessors + (own?.processors ?? 0) };
}

/** A job of ours that is on its way to a site, whose snapshot may not show it yet. */
export interface JobOnTheWay {
  readonly executionId: string;
  /** The submission key, once it has one. */
  readonly key: string | null;
  readonly queue: string | null;
  readonly processors: number;
  readonly requestedWalltimeSeconds: number;
  readonly submitAt: EpochSeconds;
  /** That it asks for; absent or null for none. */
  readonly gpus?: number | null;
}

/** Work of ours that is held back for a site until a moment that is planned. */
export interface HeldWork {
  readonly processors: number;
  /** Its own, without the time that it holds its processors before. */
  readonly walltimeSeconds: number;
  /** When it is to be submitted. */
  readonly submitAt: EpochSeconds;
  /** Until when it holds its processors when it starts early; null when it does not. */
  readonly holdUntilAt: EpochSeconds | null;
}

export interface HeldExecution extends HeldWork {
  readonly executionId: string;
  /** When it was asked for. */
  readonly createdAt: EpochSeconds;
}

/** Our own work that a site does not show yet. */
export interface ComingWork {
  readonly onTheWay: readonly JobOnTheWay[];
  readonly held: readonly HeldExecution[];
}

/**
 * What the site would say with the jobs on their way that it does not show yet, last in its queue. The very same
 * snapshot without any.
 */
export function withJobsOnTheWay(snapshot: Snapshot, jobs: readonly JobOnTheWay[]): Snapshot {
  if (jobs.length === 0) return snapshot;
  const shown = new Set([...snapshot.waiting, ...snapshot.running].map(({ key }) => key));
  const missing = jobs.filter(({ key }) => key === null || !shown.has(key));
  if (missing.length === 0) return snapshot;
  const waiting = missing.map(({ executionId, gpus, ...job }) => {
    return { ...job, nativeId: executionId, user: null, ...(gpus && { gpus }) };
  });
  return { ...snapshot, waiting: [...snapshot.waiting, ...waiting] };
}

/**
 * What the site would say without the jobs on their way that wait there already. The very same snapshot without any.
 */
export function withoutJobsOnTheWay(snapshot: Snapshot, jobs: readonly JobOnTheWay[]): Snapshot {
  const keys = new Set(jobs.map(({ key }) => key));
  const waiting = snapshot.waiting.filter(({ key }) => key === null || !keys.has(key));
  return waiting.length === snapshot.waiting.length ? snapshot : { ...snapshot, waiting };
}
