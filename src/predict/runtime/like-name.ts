import type { JobRequest } from '../../domain/job.ts';

/**
 * Names the jobs that are of one kind by hariharan-end-to-end-predictions: of one user, size and queue. The group that
 * the paper adds is known at no site; nearly every user has one only.
 */
export function likeName({ user, processors, queue }: JobRequest): string {
  return `${processors} ${queue} ${user}`;
}
