import type { EpochSeconds } from '../../domain/clock.ts';
import type { FinishBy } from '../../domain/plan.ts';
import type { Limits } from '../carry-out/context.ts';
import type { FaultList } from './faults.ts';
import { checkMoment, checkProbability } from './work-input.ts';

/** A deadline by which a job is to have finished, as its caller asks for it. */
export interface FinishInput extends FinishBy {
  /** What becomes of the job when it has not finished by then. */
  readonly ifMissed: 'CANCEL' | 'RUN_LATE';
}

/** What an input may say of when its job is to begin and to end. */
export interface DeadlineWishes {
  readonly finishBy?: FinishBy | null;
  readonly deadlineAt: EpochSeconds | null;
  /** Jobs that it comes after. */
  readonly after?: readonly unknown[];
  readonly startAfter?: unknown;
}

/** Adds what is wrong with a deadline that is to be promised, and with one beside it that is not. */
export function checkFinishBy(
  faults: FaultList,
  { finishBy = null, deadlineAt, after = [], startAfter }: DeadlineWishes,
  now: EpochSeconds,
  limits: Limits,
): void {
  if (finishBy === null) return;
  checkMoment(faults, finishBy.at, 'input.finishBy.at', now, limits);
  checkProbability(faults, finishBy.probability, 'input.finishBy.probability');
  faults.require(
    finishBy.probability <= MOST_PROMISED || finishBy.probability >= 1,
    'input.finishBy.probability',
    `forecasts tell no more than ${MOST_PROMISED}, got ${finishBy.probability}; ask for that at most`,
  );
  faults.require(
    deadlineAt === null,
    'input.finishBy',
    'finishBy and deadlineAt do not go together: finishBy is promised with its probability, deadlineAt is not; leave one of them out',
  );
  faults.require(
    after.length === 0 && startAfter === undefined,
    'input.finishBy',
    'finishBy does not go together with after and startAfter: nothing can be promised before it is known when the others end; leave one of them out',
  );
}

/** Percentiles end there. */
const MOST_PROMISED = 0.99;
