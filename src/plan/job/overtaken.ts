import type { EpochSeconds } from '../../domain/clock.ts';
import { OUTDONE } from '../../domain/loss-reason.ts';
import type { Plan } from '../../domain/plan.ts';

/** A job as far as it says what of its plan jobs that were planned meanwhile may change. */
export interface Overtakable {
  readonly deadlineAt: EpochSeconds | null;
  readonly maxRisk: number | null;
  readonly maxDelaySeconds: number | null;
}

/**
 * Whether a plan could come out otherwise once other jobs have been assigned to its site: where another option was
 * compared with the chosen one, or that has a deadline, a risk or a delay to meet. With one option left it could not.
 */
export function canBeOvertaken({ deadlineAt, maxRisk, maxDelaySeconds }: Overtakable, { candidates }: Plan): boolean {
  if (deadlineAt !== null || maxRisk !== null || maxDelaySeconds) return true;
  return candidates.some(({ lostBecause }) => lostBecause !== null && OUTDONE.includes(lostBecause));
}

/** The same with what says whether there may be a choice among ways to run it. */
export interface Choosing extends Overtakable {
  readonly queue: string | null;
  /** Of a job that may run at several sizes. */
  readonly statedProcessors: number | null;
}

/** Whether that may be so of a plan that is still to be made, at sites with so many queues. */
export function couldBeOvertaken(job: Choosing, sites: readonly { readonly queues: readonly unknown[] }[]): boolean {
  const { deadlineAt, maxRisk, maxDelaySeconds, queue, statedProcessors } = job;
  if (deadlineAt !== null || maxRisk !== null || maxDelaySeconds) return true;
  const hasOneQueue = queue !== null || sites.every(({ queues }) => queues.length < 2);
  return statedProcessors !== null || sites.length > 1 || !hasOneQueue;
}
