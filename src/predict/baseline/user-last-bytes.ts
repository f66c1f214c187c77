import type { EpochSeconds } from '../../domain/clock.ts';
import { type BytesForecast, NOTHING_KNOWN, withinPercentiles } from '../../domain/forecast.ts';
import type { EndedRecord, JobRequest } from '../../domain/job.ts';
import type { IoBytes } from '../../domain/job-use.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { SlidingSample } from '../../stats/sliding-sample.ts';
import { knownBytes } from '../io/known-bytes.ts';
import type { BytesPredictor } from '../predictor.ts';
import { percentileRanks, UNBIASED } from '../quantile-ranks.ts';
import { RecentGroups } from '../recent-groups.ts';

/**
 * Predicts that a job reads, or writes, as many bytes as its user's last one did; for unknown users, as the site's last
 * one. Percentile p is the point times percentile p of actual over expected bytes of the last 2,000 jobs, each a byte
 * more, for many jobs have none.
 */
export class UserLastBytes implements BytesPredictor {
  readonly name = 'baseline/user-last-bytes';
  readonly version = '1';
  private readonly lastByUser = new RecentGroups<number>();
  private last: number | null = null;
  private readonly ratios = new SlidingSample(RATIOS_KEPT);

  /** @param which of the two is predicted */
  constructor(private readonly which: IoBytes) {}

  predict({ user }: Pick<JobRequest, 'user'>, _state: Snapshot | null, now: EpochSeconds): BytesForecast {
    const point = this.pointBytes(user);
    const quantileBytes = point === null || this.ratios.size === 0 ? NOTHING_KNOWN : this.percentilesAround(point);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: point === null ? 0 : this.ratios.size,
      pointBytes: withinPercentiles(point ?? Number.POSITIVE_INFINITY, quantileBytes),
      quantileBytes,
    };
  }

  ended(record: EndedRecord): void {
    const bytes = knownBytes(record, this.which);
    if (bytes === null) return;
    const point = this.pointBytes(record.user);
    if (point !== null) this.ratios.add((bytes + 1) / (point + 1));
    if (record.user !== null) this.lastByUser.set(record.user, bytes);
    this.last = bytes;
  }

  private pointBytes(user: string | null): number | null {
    return (user === null ? undefined : this.lastByUser.get(user)) ?? this.last;
  }

  private percentilesAround(point: number): readonly number[] {
    const ratios = this.ratios.atAll(percentileRanks(this.ratios.size, UNBIASED));
    return ratios.map((ratio) => Math.max(0, ratio * (point + 1) - 1));
  }
}

const RATIOS_KEPT = 2000;
