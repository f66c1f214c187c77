import type { NativeJob } from '../../domain/site-adapter.ts';
import type { ExecutionFacts } from './promised-job.ts';

/**
 * For how long runs of an execution's native job before the one that was seen now held processors. Accounting is
 * believed where it tells of any; else a run that was seen before and is over counts until the site put the job back
 * into the queue, as far as that is known.
 * @param observedAt when the job was seen
 */
export function earlierRunSeconds(
  { startedAt, earlierRunSeconds: before }: Pick<ExecutionFacts, 'startedAt' | 'earlierRunSeconds'>,
  job: NativeJob,
  observedAt: number,
): number {
  if (job.earlierRunSeconds) return job.earlierRunSeconds;
  if (startedAt === null) return before;
  const wasPutBack = job.submittedAt > startedAt;
  const isAnother = job.startAt === null || (wasPutBack && job.startAt > startedAt);
  if (!isAnother) return before;
  const overAt = wasPutBack ? job.submittedAt : (job.endAt ?? observedAt);
  return before + Math.max(0, overAt - startedAt);
}
