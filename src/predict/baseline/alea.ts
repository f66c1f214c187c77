import type { JobRequest } from '../../domain/job.ts';
import { RecentGroups } from '../recent-groups.ts';
import { RuntimeRule } from './runtime-rule.ts';

/**
 * The requested walltime times the largest share of it that one of the user's last five jobs ran; of a user never seen
 * the requested walltime itself. Every job that ran teaches it, and a job that outran its walltime has a share above 1.
 * Without a request it says nothing. Source: the estimates of the Alea simulator, as a public scoreboard states them.
 */
export class AleaRule extends RuntimeRule {
  readonly name: string = 'baseline/alea';
  private readonly shares = new RecentGroups<readonly number[]>();

  override pointSeconds({ user, requestedWalltimeSeconds }: JobRequest): number | null {
    if (requestedWalltimeSeconds === null) return null;
    const shares = (user === null ? undefined : this.shares.get(user)) ?? [1];
    return requestedWalltimeSeconds * Math.max(...shares);
  }

  protected override absorb({ user, requestedWalltimeSeconds }: JobRequest, seconds: number): void {
    if (user === null || !requestedWalltimeSeconds) return;
    const before = this.shares.get(user) ?? [];
    this.shares.set(user, [...before, seconds / requestedWalltimeSeconds].slice(-JOBS_KEPT));
  }
}

const JOBS_KEPT = 5;
