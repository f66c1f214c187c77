import type { LegalMoves } from './state-machine.ts';

/**
 * The life of one attempt to hand an execution to a site.
 *
 * `INTENDED` its key is on record and a native job may exist. `ACCEPTED` the site has the job. `REJECTED` the site said
 * no. `ABSENT` queue and accounting answered and neither has it. `WITHDRAWING` the site is asked to give the job back
 * before it starts, because it is taken to be down, or never starts it. `WITHDRAWN` the job is gone and has never
 * started, so another attempt may follow. `RELEASING` the site is asked to end a job that started early and holds
 * processors for a certainty that is not worth them. `RELEASED` the job is gone before its own work began, so another
 * attempt may follow; one that waited in vain to be told to begin goes by itself.
 *
 * `WITHDRAWING` ends as `REJECTED` where the site has said that it never starts the job. It goes back to `ACCEPTED`
 * when the job starts first, or when the site certainly was not reached.
 */
export const SUBMISSION_STATES = [
  'INTENDED',
  'ACCEPTED',
  'REJECTED',
  'ABSENT',
  'WITHDRAWING',
  'WITHDRAWN',
  'RELEASING',
  'RELEASED',
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const SUBMISSION_MOVES: LegalMoves<SubmissionState> = {
  INTENDED: ['ACCEPTED', 'REJECTED', 'ABSENT'],
  ACCEPTED: ['WITHDRAWING', 'RELEASING', 'RELEASED'],
  REJECTED: [],
  ABSENT: [],
  WITHDRAWING: ['ACCEPTED', 'WITHDRAWN', 'REJECTED'],
  WITHDRAWN: [],
  RELEASING: ['RELEASED'],
  RELEASED: [],
};

/**
 * The key under which an attempt is known at its site, in the job's name or comment. A function of execution and
 * attempt, so that a job found at a site leads back to its execution without a look-up.
 */
export function submissionKey(executionId: string, attempt: number): string {
  return `gc-${executionId.replaceAll('-', '')}-${attempt}`;
}
