import type { EpochSeconds } from './clock.ts';

/**
 * What a site that is out of service shows: it does not answer (`UNREACHABLE`), jobs wait and none starts
 * (`NO_STARTS`), or of the jobs that start each was submitted later and waited longer than the one before
 * (`GROWING_WAITS`).
 */
export const DOWN_TIME_SIGNS = ['UNREACHABLE', 'NO_STARTS', 'GROWING_WAITS'] as const;
export type DownTimeSign = (typeof DOWN_TIME_SIGNS)[number];

/** One reason to think that a site is down, with its figures. */
export interface DownTimeEvidence {
  readonly sign: DownTimeSign;
  /** When it began. */
  readonly sinceAt: EpochSeconds;
  /** Seconds without an answer or a start; number of jobs whose waits grew. */
  readonly observed: number;
  /** The least of that which is a sign at this site. */
  readonly limit: number;
  /** In a sentence with the figures. */
  readonly explanation: string;
}

/** A site is taken to be down as long as there is evidence; promises on it are suspended until then. */
export interface DownTimeVerdict {
  readonly isDown: boolean;
  readonly evidence: readonly DownTimeEvidence[];
}

/**
 * What is remembered of a site between two looks at it: plain data, to be stored as it is. Counts are by half octaves.
 */
export interface DownTimeState {
  /** The newest look that was answered; null before the first. */
  readonly observedAt: EpochSeconds | null;
  readonly unanswered: UnansweredLooks | null;
  /** Start of the newest job known to have started. */
  readonly newestStartAt: EpochSeconds | null;
  /** Since when jobs have been seen to wait while none started. */
  readonly waitingSinceAt: EpochSeconds | null;
  /** Since when, besides, the first of them would fit, or nothing runs at all. */
  readonly stalledSinceAt: EpochSeconds | null;
  readonly growth: GrowingWaits | null;
  /** How long jobs usually wait without a start of any, in seconds. */
  readonly usualWaiting: readonly number[];
  readonly usualStalled: readonly number[];
  /** How many jobs in a row usually have growing waits. */
  readonly usualGrowth: readonly number[];
}

export interface UnansweredLooks {
  readonly sinceAt: EpochSeconds;
  readonly count: number;
  readonly siteSays: string;
}

/** A run of started jobs each of which was submitted later and waited longer than the one before. */
export interface GrowingWaits {
  readonly count: number;
  readonly sinceAt: EpochSeconds;
  readonly firstWaitSeconds: number;
  readonly lastWaitSeconds: number;
  readonly lastSubmitAt: EpochSeconds;
}
