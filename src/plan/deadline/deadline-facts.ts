import type { EpochSeconds } from '../../domain/clock.ts';
import type { ExecutionOutcome, ExecutionState } from '../../domain/execution.ts';
import type { PlanRequest } from '../../domain/plan.ts';

/** What is known of a job that was promised to finish by a deadline, as far as what follows for it depends on it. */
export interface DeadlineFacts {
  readonly state: ExecutionState;
  readonly outcome: ExecutionOutcome | null;
  readonly endedAt: EpochSeconds | null;
  readonly deadlineAt: EpochSeconds | null;
  /** Null where nothing was promised of it. */
  readonly promisedFinishProbability: number | null;
  /** What becomes of it when its deadline has passed; null where nothing was promised of it. */
  readonly ifDeadlineMissed: 'CANCEL' | 'RUN_LATE' | null;
  /** Its deadline, once that has passed before its end. */
  readonly deadlineMissedAt: EpochSeconds | null;
  /** How often it was moved for its deadline. */
  readonly finishMoves: number;
  readonly cancelRequestedAt: EpochSeconds | null;
  readonly settledAt: EpochSeconds | null;
}

/** A job that was promised to finish by a deadline. */
export interface PromisedFinish extends DeadlineFacts {
  readonly deadlineAt: EpochSeconds;
  readonly promisedFinishProbability: number;
  readonly ifDeadlineMissed: 'CANCEL' | 'RUN_LATE';
}

/** Whether anything was promised of the finish of a job. */
export function isFinishPromised<Facts extends Partial<DeadlineFacts>>(facts: Facts): facts is Facts & PromisedFinish {
  const { deadlineAt = null, promisedFinishProbability = null, ifDeadlineMissed = null } = facts;
  return deadlineAt !== null && promisedFinishProbability !== null && ifDeadlineMissed !== null;
}

/**
 * The deadline of a job in the words of a request: with a promise of its finish what was promised is asked for again.
 */
export function deadlineOf(facts: Partial<DeadlineFacts>): Pick<PlanRequest, 'deadlineAt' | 'finishBy'> {
  if (!isFinishPromised(facts)) return { deadlineAt: facts.deadlineAt ?? null };
  const { deadlineAt: at, promisedFinishProbability: probability } = facts;
  return { deadlineAt: null, finishBy: { at, probability } };
}

/** After which a job need not start any more; one that is promised and not to run late is ended at its deadline. */
export function lastStartAt(facts: Partial<DeadlineFacts> & { readonly walltimeSeconds: number }): EpochSeconds {
  const deadlineAt = facts.deadlineAt ?? Number.POSITIVE_INFINITY;
  if (!isFinishPromised(facts)) return deadlineAt - facts.walltimeSeconds;
  return facts.ifDeadlineMissed === 'CANCEL' ? deadlineAt : Number.POSITIVE_INFINITY;
}
