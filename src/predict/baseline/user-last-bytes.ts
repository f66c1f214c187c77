import type { JobRequest } from '../../domain/job.ts';
import { RecentGroups } from '../recent-groups.ts';
import { BytesRule } from './bytes-rule.ts';

/**
 * Predicts that a job reads, or writes, as many bytes as its user's last one did; for unknown users, as the site's last
 * one.
 */
export class UserLastBytes extends BytesRule {
  readonly name = 'baseline/user-last-bytes';
  private readonly lastByUser = new RecentGroups<number>();
  private last: number | null = null;

  protected override pointBytes({ user }: JobRequest): number | null {
    return (user === null ? undefined : this.lastByUser.get(user)) ?? this.last;
  }

  protected override absorb({ user }: JobRequest, bytes: number): void {
    if (user !== null) this.lastByUser.set(user, bytes);
    this.last = bytes;
  }
}
