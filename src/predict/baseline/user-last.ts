import type { StartedRecord } from '../../domain/job.ts';
import { PointPredictor, type PointQuery } from './point-predictor.ts';

/** Predicts that a job waits as long as its user's last one did; for unknown users, as the site's last one. */
export class UserLastWait extends PointPredictor {
  readonly name = 'baseline/user-last';
  private readonly lastByUser = new Map<string, number>();
  private last: number | null = null;

  protected override pointSeconds(query: PointQuery): number | null {
    return (query.user === null ? undefined : this.lastByUser.get(query.user)) ?? this.last;
  }

  protected override absorb(record: StartedRecord, waitSeconds: number): void {
    if (record.user !== null) this.lastByUser.set(record.user, waitSeconds);
    this.last = waitSeconds;
  }
}
