import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { NativeRef } from '../../src/domain/site-adapter.ts';
import { keyOfJobName } from './job-name.ts';

/**
 * Whether a job is the one meant: ids are used again. A key says so for certain, without one the time of its
 * submission: jobs give themselves other names.
 */
export function isMeant(meant: NativeRef, name: string | null, submittedAt: EpochSeconds): boolean {
  const key = keyOfJobName(name);
  if (meant.key !== undefined && key !== null) return key === meant.key;
  return Math.abs(submittedAt - meant.submittedAt) <= SAME_SUBMISSION_SECONDS;
}

/** Numbers are used again after millions of jobs; clocks of client and server differ by less than this. */
export const SAME_SUBMISSION_SECONDS = 300;
