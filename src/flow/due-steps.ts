import { invariant } from '../domain/failures.ts';
import type { Due } from '../plan/reservation/life.ts';
import type { ExecutionInHand } from './in-hand.ts';
import { isOfPromise, PROMISE_STEPS, type PromiseDue } from './promise-steps.ts';
import { awaitStep } from './steps/await.ts';
import { cancelStep } from './steps/cancel.ts';
import { missDeadlineStep, watchDeadlineStep } from './steps/deadline/watch-deadline.ts';
import { holdStep } from './steps/hold.ts';
import { leaveStep } from './steps/leave.ts';
import { planStep } from './steps/plan.ts';
import { resolveDoubtStep } from './steps/resolve-doubt.ts';
import { seekStep } from './steps/seek.ts';
import { settleStep } from './steps/settle.ts';
import type { Next } from './turn.ts';

/** One step to be carried out, with its name for the metrics. */
export interface Step {
  readonly name: string;
  run(): Promise<Next>;
}

/** What is done about what is due. */
export function stepFor(due: Due, inHand: ExecutionInHand): Step {
  if (isOfPromise(due)) {
    const { reservation } = inHand;
    invariant(reservation, `execution ${inHand.execution.id} keeps no promise, and ${due} is due`);
    const { name, step } = PROMISE_STEPS[due];
    return { name, run: () => step({ ...inHand, reservation }) };
  }
  const { name, step } = STEPS[due];
  return { name, run: () => step(inHand) };
}

const STEPS = {
  PLAN: { name: 'plan', step: planStep },
  AWAIT: { name: 'await', step: awaitStep },
  WAIT: { name: 'hold', step: holdStep },
  RESOLVE: { name: 'submit', step: resolveDoubtStep },
  STAY_OR_LEAVE: { name: 'leave', step: leaveStep },
  CANCEL: { name: 'cancel', step: cancelStep },
  SETTLE: { name: 'settle', step: settleStep },
  SEEK: { name: 'seek', step: seekStep },
  WATCH_DEADLINE: { name: 'watchDeadline', step: watchDeadlineStep },
  MISS_DEADLINE: { name: 'watchDeadline', step: missDeadlineStep },
} as const satisfies Record<Exclude<Due, PromiseDue>, unknown>;
