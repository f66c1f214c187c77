import type { JobRequest } from '../../domain/job.ts';
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
    const known = groupsOf(job).find(({ key }) => this.used.get(key) !== undefined);
    const used = known ? (this.used.get(known.key) as number) : isTimed ? UNKNOWN_SHARE : UNKNOWN_SECONDS;
    return isTimed ? used * (job.requestedWalltimeSeconds as number) : used;
  }
}

/** Groups of jobs whose runtimes are alike, the closest first. Shares of walltimes and plain times are kept apart. */
function groupsOf(job: JobRequest): readonly { readonly key: string; readonly step: number }[] {
  const kind = job.requestedWalltimeSeconds ? 'share' : 'seconds';
  return [
    { key: `${kind} ${job.user} ${job.processors} ${job.requestedWalltimeSeconds}`, step: 0.4 },
    { key: `${kind} ${job.user}`, step: 0.4 },
    { key: kind, step: 0.01 },
  ];
}

const UNKNOWN_SHARE = 0.5;
const UNKNOWN_SECONDS = 7200;
