import type { EpochSeconds } from '../../domain/clock.ts';
import type { RuntimeForecast } from '../../domain/forecast.ts';
import type { JobRequest } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { RecentGroups } from '../recent-groups.ts';
import { likeName } from '../runtime/like-name.ts';
import { RuntimeRule } from './runtime-rule.ts';

/**
 * The range from the shortest to the longest runtime of the same user, size and queue; its middle as the point. Source:
 * the baseline of hariharan-end-to-end-predictions, section VI-B.
 */
export class MinMaxRange extends RuntimeRule {
  readonly name = 'baseline/min-max';
  private readonly seen = new RecentGroups<{ readonly fromSeconds: number; readonly toSeconds: number }>();

  override pointSeconds(job: JobRequest): number | null {
    const seen = this.seen.get(likeName(job));
    return seen ? (seen.fromSeconds + seen.toSeconds) / 2 : null;
  }

  override predict(job: JobRequest, state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const seen = this.seen.get(likeName(job));
    return { ...super.predict(job, state, now), ranges: seen ? [{ ...seen, probability: 1 }] : [] };
  }

  protected override absorb(job: JobRequest, seconds: number): void {
    const { fromSeconds, toSeconds } = this.seen.get(likeName(job)) ?? { fromSeconds: seconds, toSeconds: seconds };
    this.seen.set(likeName(job), {
      fromSeconds: Math.min(fromSeconds, seconds),
      toSeconds: Math.max(toSeconds, seconds),
    });
  }
}
