import type { EpochSeconds } from '../../../domain/clock.ts';
import { type JobRecord, type JobRequest, plannedWalltimeSeconds, type Submission } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import { RecentGroups } from '../../recent-groups.ts';
import { RunTrail } from './run-trail.ts';
import { UserTrail } from './user-trail.ts';

/** Groups of jobs whose runtimes are alike, from the closest to the whole site. */
export const GROUPS = ['twins', 'userWalltime', 'userSize', 'user', 'shape', 'walltime', 'site'] as const;
export type Group = (typeof GROUPS)[number] | 'queue';

/** Groups whose running and waiting jobs are counted. */
const FOLLOWED: readonly Group[] = ['twins', 'user'];

/**
 * Short-term memory of how long the jobs of a site run, by groups of like jobs. O(1) for each fact and question; of
 * very many groups those that were heard of least recently are forgotten.
 */
export class RunMemory {
  private readonly trails = new RecentGroups<RunTrail>();
  private readonly users = new RecentGroups<UserTrail>();

  /** @param name of the job, its own at the site */
  submitted(job: Submission, name: string): void {
    this.makeUser(job).submitted(job, name);
    for (const trail of this.trailsOf(job)) trail.submit(job.submitAt);
  }

  /** A job that was submitted waits no longer, because it started or was cancelled. */
  waitsNoLonger(job: JobRequest): void {
    for (const trail of this.knownTrailsOf(job)) trail.waiting = Math.max(0, trail.waiting - 1);
  }

  /** @param name of the job, its own at the site */
  started(job: JobRequest, name: string, at: EpochSeconds): void {
    this.makeUser(job).started(name, at);
    for (const group of FOLLOWED) this.makeTrail(group, job).start(name, at);
  }

  /** @param runSeconds null where its end says nothing of how long such jobs run */
  ended(job: JobRecord, name: string, at: EpochSeconds, runSeconds: number | null): void {
    for (const group of FOLLOWED) this.trailOf(group, job)?.end(name);
    if (runSeconds === null) return;
    const share = runSeconds / scaleSeconds(job);
    this.makeUser(job).ended(job, name, runSeconds, share);
    for (const trail of this.trailsOf(job)) trail.learn(runSeconds, share, at);
  }

  /** Null where nothing is known of the group. */
  trailOf(group: Group, job: JobRequest): RunTrail | null {
    return this.trails.get(keyOf(group, job)) ?? null;
  }

  /** Null where nothing is known of the user. */
  userOf({ user }: JobRequest): UserTrail | null {
    return this.users.get(user ?? NOBODY) ?? null;
  }

  private makeUser({ user }: JobRequest): UserTrail {
    return this.users.heardOf(user ?? NOBODY, () => new UserTrail());
  }

  private knownTrailsOf(job: JobRequest): RunTrail[] {
    return groupsOf(job).flatMap((group) => this.trailOf(group, job) ?? []);
  }

  private trailsOf(job: JobRequest): RunTrail[] {
    return groupsOf(job).map((group) => this.makeTrail(group, job));
  }

  private makeTrail(group: Group, job: JobRequest): RunTrail {
    return this.trails.heardOf(keyOf(group, job), () => new RunTrail());
  }
}

/** What runtimes are told as shares of: the walltime as it is planned with. */
export function scaleSeconds(job: JobRequest): number {
  return Math.max(LEAST_SCALE_SECONDS, plannedWalltimeSeconds(job));
}

function groupsOf({ queue }: JobRequest): readonly Group[] {
  return queue === null ? GROUPS : [...GROUPS, 'queue'];
}

function keyOf(group: Group, { user, queue, processors, requestedWalltimeSeconds }: JobRequest): string {
  if (group === 'site') return group;
  if (group === 'queue') return `${group} ${queue}`;
  if (group === 'walltime') return `${group} ${requestedWalltimeSeconds}`;
  if (group === 'user') return `${group} ${user}`;
  if (group === 'userSize') return `${group} ${processors} ${user}`;
  if (group === 'userWalltime') return `${group} ${requestedWalltimeSeconds} ${user}`;
  if (group === 'twins') return `${group} ${processors} ${requestedWalltimeSeconds} ${queue} ${user}`;
  return `${group} ${doublings(processors)} ${doublings(requestedWalltimeSeconds ?? 0)} ${queue}`;
}

/** Of 1, to the next whole number. */
function doublings(value: number): number {
  return Math.round(Math.log2(Math.max(1, value)));
}

const LEAST_SCALE_SECONDS = 60;

const NOBODY = '';

keepClass(RunMemory);
