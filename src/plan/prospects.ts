import type { Snapshot, WaitingJob } from '../domain/snapshot.ts';
import { startsNever } from './refusals.ts';

/**
 * What a site's words for a job that waits mean for its start: that it waits like others, that a limit on what some
 * jobs hold together stops it though none of them runs, or that it never starts.
 */
export type Prospect = 'WAITS' | 'LIMITED_ALONE' | 'NEVER';

/** Which jobs that run a limit counts together with one that waits, as far as its words tell. */
type Together = 'USER' | 'ACCOUNT' | 'ANY';

const GROUPED = '(?:QOS|Assoc)';
const NOT_OF_JOBS = '(?!Jobs|Submit)';

/**
 * Words for a limit on what some jobs hold together, those on their number left out: such a limit no job is beyond by
 * itself. Sources: job_state_reason_string of Slurm, the comments of PBS's scheduler, Grid Engine's resource quotas.
 */
const TOGETHER_WORDS: readonly (readonly [Together, RegExp])[] = [
  ['USER', new RegExp(`^${GROUPED}Max${NOT_OF_JOBS}\\w*PerUser`)],
  ['ACCOUNT', new RegExp(`^${GROUPED}Max${NOT_OF_JOBS}\\w*PerAccount`)],
  ['ANY', new RegExp(`^${GROUPED}Grp${NOT_OF_JOBS}`)],
  ['USER', /\bwould exceed (?:user \S+'s|per-user) limit on resource\b/],
  ['ANY', /\bwould exceed (?:(?:group|project) \S+'s|per-(?:group|project)|overall) limit on resource\b/],
  ['ANY', /\bcannot run because it exceeds limit "/],
];

/** What each waiting job of a site may expect, by what it shows. O(1) a job after O(running jobs). */
export function prospectsIn({ running }: Pick<Snapshot, 'running'>): (job: WaitingJob) => Prospect {
  const users = new Set(running.map(({ user }) => user));
  const accounts = new Set(running.map(({ account }) => account));
  const isAlone = (together: Together, { user, account }: WaitingJob) => {
    if (together === 'USER' && user !== null) return !users.has(user);
    const isTold = together === 'ACCOUNT' && account !== undefined && !accounts.has(undefined);
    return isTold ? !accounts.has(account) : running.length === 0;
  };
  return (job) => {
    const { reason } = job;
    if (!reason) return 'WAITS';
    if (startsNever(reason)) return 'NEVER';
    const [together] = TOGETHER_WORDS.find(([, pattern]) => pattern.test(reason)) ?? [];
    return together !== undefined && isAlone(together, job) ? 'LIMITED_ALONE' : 'WAITS';
  };
}

/**
 * For so long a limit has to stop a job that runs alone under it before the job is taken to be beyond it by itself: a
 * site judges its queue anew every few minutes, and says until then what it said before others had ended.
 */
export const LIMITED_ALONE_SECONDS = 900;
