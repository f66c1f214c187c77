import type { JobRequest } from '../../domain/job.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { RecentGroups } from '../recent-groups.ts';

/**
 * Short-term memory of how long jobs run: the shares of their walltimes, or plain times where none is requested, that
 * jobs of a user, and jobs of one shape, used lately. O(1) for each fact and question; of very many groups those that
 * were heard of least recently are forgotten.
 */
export class UsedWalltimes {
  private readonly used = new RecentGroups<number>();

  /** Takes in how long a job ran. */
  learn(job: JobRequest, runSeconds: number): void {
    const used = job.requestedWalltimeSeconds ? Math.min(1, runSeconds / job.requestedWalltimeSeconds) : runSeconds;
    for (const { key, step } of groupsOf(job)) {
      const before = this.used.get(key) ?? used;
      this.used.set(key, before + step * (used - before));
    }
  }

  /** How long a job is expected to run: the share of its walltime, or the time, that its like ran. */
  expectedSeconds(job: JobRequest): number {
    const isTimed = job.requestedWalltimeSeconds !== null && job.requestedWalltimeSeconds > 0;
    const used = this.usedBy(job) ?? (isTimed ? UNKNOWN_SHARE : UNKNOWN_SECONDS);
    return isTimed ? used * (job.requestedWalltimeSeconds as number) : used;
  }

  /** By the closest of its groups that is known. */
  private usedBy(job: JobRequest): number | undefined {
    const kind = kindOf(job);
    return this.used.get(twinKey(kind, job)) ?? this.used.get(userKey(kind, job)) ?? this.used.get(kind);
  }
}

/** Groups of jobs whose runtimes are alike, the closest first. Shares of walltimes and plain times are kept apart. */
function groupsOf(job: JobRequest): readonly { readonly key: string; readonly step: number }[] {
  const kind = kindOf(job);
  return [
    { key: twinKey(kind, job), step: 0.4 },
    { key: userKey(kind, job), step: 0.4 },
    { key: kind, step: 0.01 },
  ];
}

function kindOf({ requestedWalltimeSeconds }: JobRequest): string {
  return requestedWalltimeSeconds ? 'share' : 'seconds';
}

function twinKey(kind: string, { user, processors, requestedWalltimeSeconds }: JobRequest): string {
  return `${kind} ${user} ${processors} ${requestedWalltimeSeconds}`;
}

function userKey(kind: string, { user }: JobRequest): string {
  return `${kind} ${user}`;
}

const UNKNOWN_SHARE = 0.5;
const UNKNOWN_SECONDS = 7200;

keepClass(UsedWalltimes);
