import type { EpochSeconds } from '../../domain/clock.ts';
import { MONTH_SECONDS } from '../../predict/runtime/like-jobs-shares.ts';
import type { Workload } from '../../sim/workload.ts';

/** A log in months of 30 days from its first submission, numbered from 0. */
export interface Months {
  readonly count: number;
  /** The first of those at the end that are scored. */
  readonly firstScored: number;
  of(at: EpochSeconds): number;
}

/**
 * The months of a log. A last one that is shorter than half a month belongs to the one before.
 * @param scoredShare which share of them, at the end, is scored; at least one is
 */
export function monthsOf({ columns, length }: Workload, scoredShare: number): Months {
  const firstAt = columns.submitAt[0] ?? 0;
  const lastAt = columns.submitAt[length - 1] ?? firstAt;
  const count = Math.max(1, Math.round((lastAt - firstAt) / MONTH_SECONDS));
  return {
    count,
    firstScored: Math.min(count - 1, count - Math.round(count * scoredShare)),
    of: (at) => Math.min(count - 1, Math.max(0, Math.floor((at - firstAt) / MONTH_SECONDS))),
  };
}
