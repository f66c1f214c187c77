import type { EpochSeconds } from '../../domain/clock.ts';
import { longestHoldSeconds } from '../hold.ts';
import type { HoldingJob } from '../price.ts';
import { workBeginsAt } from './held-again.ts';
import { type Moves, noMoves } from './moves.ts';
import type { ExecutionFacts, PromiseFacts } from './promised-job.ts';

/** How often things are looked at, in seconds; a site that is looked at at any time is observed every 0. */
export interface LookIntervals {
  readonly recomputeIntervalSeconds: number;
  readonly observeIntervalSeconds: number;
}

/**
 * A job that holds processors early, as `pointAfterRelease` is asked about it; null when it holds on whatever the
 * forecast: nothing early is left to be given back, or others rely on it, being legs of the same co-allocation.
 */
export function releasable(
  { startedAt, attempts }: Pick<ExecutionFacts, 'startedAt' | 'attempts'>,
  reservation: PromiseFacts,
  { recomputeIntervalSeconds, observeIntervalSeconds }: LookIntervals,
  now: EpochSeconds,
): HoldingJob | null {
  const { holdPriceSeconds } = reservation;
  const holdSeconds = longestHoldSeconds(workBeginsAt(reservation), now);
  // The site's answer must come well before the job's own work begins.
  const leastGainSeconds = Math.max(2 * recomputeIntervalSeconds, 4 * observeIntervalSeconds);
  if (startedAt === null || holdPriceSeconds === null || holdSeconds < leastGainSeconds) return null;
  return { priceSeconds: holdPriceSeconds, holdSeconds, leastGainSeconds, releases: attempts - 1 };
}

/** What follows when a job had better give its processors back and be submitted again at `submitAt`. */
export function whatReleaseMeans(submitAt: EpochSeconds, now: EpochSeconds): Moves {
  return { ...noMoves(now, 'AT_ONCE'), execution: { submitAt }, attempt: 'RELEASING' };
}
