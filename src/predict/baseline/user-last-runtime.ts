import type { JobRequest } from '../../domain/job.ts';
import { RecentGroups } from '../recent-groups.ts';
import { RuntimeRule } from './runtime-rule.ts';

/** Predicts that a job runs as long as its user's last one did; for unknown users, as the site's last one. */
export class UserLastRuntime extends RuntimeRule {
  readonly name = 'baseline/user-last-runtime';
  private readonly lastByUser = new RecentGroups<number>();
  private last: number | null = null;

  override pointSeconds({ user }: JobRequest): number | null {
    return (user === null ? undefined : this.lastByUser.get(user)) ?? this.last;
  }

  protected override absorb({ user }: JobRequest, seconds: number): void {
    if (user !== null) this.lastByUser.set(user, seconds);
    this.last = seconds;
  }
}
