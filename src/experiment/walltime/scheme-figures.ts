import type { JobRecord } from '../../domain/job.ts';
import { hasRun, ranSeconds } from '../../domain/job.ts';
import { reveal } from '../../predict/past/reveal.ts';
import { ADJUSTMENT_DEFAULTS, rankOf } from '../../predict/runtime/adjusted-walltime.ts';
import { LikeJobsShares, type Likeness } from '../../predict/runtime/like-jobs-shares.ts';
import { requestedSeconds } from '../../predict/runtime/used-share.ts';
import { type EstimateFigures, EstimateTally } from './estimate-tally.ts';

/** The percentiles of figures 4 to 10 of Tang et al. */
export const PERCENTILES = [50, 70, 80, 85, 90, 95, 100] as const;

/** Figures of one likeness, a percentile each, with and without the least share. */
export interface SchemeFigures {
  readonly likeness: Likeness;
  readonly leastShare: number;
  readonly byPercentile: readonly EstimateFigures[];
}

/**
 * How good the adjusted walltimes of a log are under schemes of one likeness. Each job is asked about at its
 * submission; what is known then is what ended before.
 */
export function schemeFigures(
  records: readonly JobRecord[],
  likeness: Likeness,
  leastShares: readonly number[],
): SchemeFigures[] {
  const shares = new LikeJobsShares(likeness);
  const tallies = leastShares.map(() => PERCENTILES.map(() => new EstimateTally()));
  for (const event of reveal(records)) {
    if (event.kind === 'end') shares.learn(event.record);
    if (event.kind !== 'submit') continue;
    const record = records[event.job] as JobRecord;
    const requested = requestedSeconds(record);
    const seen = shares.of(record, event.at, (sample) =>
      sample.size < ADJUSTMENT_DEFAULTS.leastJobs
        ? null
        : sample.atAll(PERCENTILES.map((percentile) => rankOf(percentile, sample.size))),
    );
    shares.moveOn(record, event.at);
    if (requested === null || !hasRun(record)) continue;
    const ran = Math.min(requested, ranSeconds(record));
    for (const [index, leastShare] of leastShares.entries()) {
      for (const [which, tally] of (tallies[index] ?? []).entries()) {
        tally.add(requested, ran, requested * Math.max(leastShare, seen?.[which] ?? 1));
      }
    }
  }
  return leastShares.map((leastShare, index) => {
    return { likeness, leastShare, byPercentile: (tallies[index] ?? []).map((tally) => tally.figures()) };
  });
}
