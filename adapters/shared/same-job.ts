import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { NativeRef } from '../../src/domain/site-adapter.ts';
import { keyOfJobName } from './job-name.ts';

/**
 * Whether a job is the one meant: ids are used again. Its key says so for certain, without it the time of its
 * submission.
 */
export function isMeant(meant: NativeRef, name: string | null, submittedAt: EpochSeconds): boolean {
  if (meant.key !== undefined && name !== null) return keyOfJobName(name) === meant.key;
  return Math.abs(submittedAt - meant.submittedAt) <= SAME_SUBMISSION_SECONDS;
}

/** Numbers are used again after millions of jobs; clocks of client and server differ by less than this. */
export const SAME_SUBMISSION_SECONDS = 300;
