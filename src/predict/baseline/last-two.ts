import type { JobRequest } from '../../domain/job.ts';
import { RecentGroups } from '../recent-groups.ts';
import { RuntimeRule } from './runtime-rule.ts';

/**
 * The mean runtime of the user's last two jobs that ran, at most the requested walltime; of a user never seen the
 * requested walltime. Source: Tsafrir, Etsion and Feitelson, Backfilling using system-generated predictions rather than
 * user runtime estimates, IEEE TPDS 18(6), 2007, section 4.
 */
export class LastTwo extends RuntimeRule {
  readonly name = 'baseline/last-two';
  private readonly runtimes = new RecentGroups<readonly number[]>();

  override pointSeconds({ user, requestedWalltimeSeconds }: JobRequest): number | null {
    const last = user === null ? undefined : this.runtimes.get(user);
    if (!last) return requestedWalltimeSeconds;
    const mean = last.reduce((sum, seconds) => sum + seconds, 0) / last.length;
    return Math.min(mean, requestedWalltimeSeconds ?? mean);
  }

  protected override absorb({ user }: JobRequest, seconds: number): void {
    if (user !== null) this.runtimes.set(user, [...(this.runtimes.get(user) ?? []), seconds].slice(-2));
  }
}
