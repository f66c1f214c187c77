import type { EpochSeconds } from '../domain/clock.ts';
import { plannedWalltimeSeconds } from '../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../domain/snapshot.ts';
import { Cluster } from './cluster.ts';
import { JobState } from './job-table.ts';
import type { Policy } from './policy.ts';

/** What is left of a job of a site, as somebody thinks of it. */
export interface JobAhead {
  readonly processors: number;
  /** After so long from now on, or from its start if it waits, the site kills it. */
  readonly walltimeSeconds: number;
  /** How long it is thought to run, likewise. */
  readonly runSeconds: number;
  /** Since when it has been there, which some policies heed; now unless told. */
  readonly submitAt?: EpochSeconds;
}

/** The state of a site that is to be run on. */
export interface SiteNow {
  readonly now: EpochSeconds;
  /** At least those of the running jobs together. */
  readonly processors: number;
  readonly policy: Policy;
  readonly running: readonly JobAhead[];
  /** In the order of the queue. */
  readonly waiting: readonly JobAhead[];
}

/** From when until when a job runs. */
export interface JobRun {
  readonly startAt: EpochSeconds;
  readonly endAt: EpochSeconds;
}

/**
 * A copy of a site that runs on if nobody else comes and its jobs run as long as is thought: its own policy goes on,
 * by the walltimes, after which jobs are killed. Section 4.2 of wyatt-prionn. Jobs are named by their places: the
 * running ones first, then the waiting ones. O(jobs there) to make; each job starts and ends once at most.
 */
export class SiteAhead {
  private readonly cluster: Cluster;

  constructor({ now, processors, policy, running, waiting }: SiteNow) {
    const expectedJobs = running.length + waiting.length + 1;
    this.cluster = new Cluster({ processors, policy, fromAt: now, expectedJobs });
    for (const job of running) this.add(job);
    // They hold their processors whatever the policy thinks of those that wait.
    this.cluster.advanceTo(now);
    for (const job of waiting) this.add(job);
  }

  /** One more job, last in the queue; its place. It must fit the machine. */
  add(job: JobAhead): number {
    const { cluster } = this;
    const { processors, walltimeSeconds } = job;
    const place = cluster.submit({
      submitAt: cluster.now,
      processors,
      walltimeSeconds: Math.max(1, walltimeSeconds),
      runSeconds: Math.max(1, job.runSeconds),
    });
    cluster.table.columns.submitAt[place] = job.submitAt ?? cluster.now;
    return place;
  }

  /** When a job starts; null when it never does. */
  startOf(place: number): EpochSeconds | null {
    const { startAt } = this.cluster.table.columns;
    return this.goOnUntil(() => !Number.isNaN(startAt[place] as number)) ? (startAt[place] as number) : null;
  }

  /** When a job runs; null when it never does. */
  runOf(place: number): JobRun | null {
    const { state } = this.cluster.table.columns;
    return this.goOnUntil(() => state[place] === JobState.ENDED) ? this.runAt(place) : null;
  }

  /** The runs, by the jobs' places, of all that start until a moment; null of the others. */
  runsUntil(at: EpochSeconds): (JobRun | null)[] {
    this.cluster.advanceTo(at);
    return Array.from({ length: this.cluster.table.length }, (_, place) => this.runAt(place));
  }

  private goOnUntil(isDone: () => boolean): boolean {
    while (!isDone()) {
      const next = this.cluster.nextEventAt();
      if (next === Number.POSITIVE_INFINITY) return false;
      this.cluster.advanceTo(next);
    }
    return true;
  }

  private runAt(place: number): JobRun | null {
    const { startAt, endAt, dueAt, state } = this.cluster.table.columns;
    if (Number.isNaN(startAt[place] as number)) return null;
    const ends = state[place] === JobState.ENDED ? endAt : dueAt;
    return { startAt: startAt[place] as number, endAt: ends[place] as number };
  }
}

/**
 * A site as it says that it stands. Processors that it does not show as free or in use are taken to stay away.
 * @param totalSeconds from its start to its end, of every job, as somebody thinks
 */
export function siteNow(
  state: Snapshot,
  policy: Policy,
  totalSeconds: (job: WaitingJob | RunningJob) => number,
): SiteNow {
  const { observedAt: now, freeProcessors } = state;
  const jobOf = (job: WaitingJob | RunningJob): JobAhead => {
    const elapsedSeconds = 'startAt' in job ? Math.max(0, now - job.startAt) : 0;
    return {
      processors: job.processors,
      submitAt: job.submitAt,
      walltimeSeconds: plannedWalltimeSeconds(job) - elapsedSeconds,
      runSeconds: totalSeconds(job) - elapsedSeconds,
    };
  };
  const used = state.running.reduce((sum, { processors }) => sum + processors, 0);
  return {
    now,
    processors: Math.max(0, freeProcessors) + used,
    policy,
    running: state.running.map(jobOf),
    waiting: state.waiting.map(jobOf),
  };
}
