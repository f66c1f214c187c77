import type { EpochSeconds } from '../../domain/clock.ts';

/** Another end is waited for, too, when it comes within this share of the time until the one before. */
export const CHAIN_SHARE = 0.05;

/** By which share the response must be predicted lower for a job to be held back. */
export const LEAST_REDUCTION = 0.3;

/** Predicted seconds from now to the end of a job: any delay, its wait and its runtime together. */
export interface PredictedResponses {
  readonly atOnceSeconds: number;
  readonly delayedSeconds: number;
}

/**
 * The later moment at which a job may be submitted in place of now: when the first running job is predicted to end, or
 * a later one that ends within 5 % of the time until then, and so on. Null where no end is predicted to come. Source:
 * hariharan-end-to-end-predictions, section IV-B.
 * @param endsAt predicted ends of the running jobs, in any order; what is past or infinite says nothing
 */
export function laterSubmitAt(endsAt: Iterable<EpochSeconds>, now: EpochSeconds): EpochSeconds | null {
  const ahead = [...endsAt].filter((at) => at > now && at < Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  let last = ahead[0] ?? null;
  for (const at of ahead) {
    if (last === null || at > last + CHAIN_SHARE * (last - now)) break;
    last = at;
  }
  return last;
}

/**
 * Whether a job had better be held back: only when its response is predicted to be so much lower. Never where either
 * response cannot be predicted. Source: hariharan-end-to-end-predictions, section IV-B, for its 30 %.
 */
export function isWorthDelaying(
  { atOnceSeconds, delayedSeconds }: PredictedResponses,
  leastReduction: number = LEAST_REDUCTION,
): boolean {
  if (!Number.isFinite(atOnceSeconds) || !Number.isFinite(delayedSeconds)) return false;
  return delayedSeconds < atOnceSeconds && delayedSeconds <= (1 - leastReduction) * atOnceSeconds;
}
