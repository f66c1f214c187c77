import { invariant } from '../domain/failures.ts';
import type { Due } from '../plan/reservation/life.ts';
import type { ExecutionInHand } from './in-hand.ts';
import { awaitStep } from './steps/await.ts';
import { cancelStep } from './steps/cancel.ts';
import { missDeadlineStep, watchDeadlineStep } from './steps/deadline/watch-deadline.ts';
import { decideReservationStep } from './steps/decide-reservation.ts';
import { holdStep } from './steps/hold.ts';
import { holdReservationStep } from './steps/hold-reservation.ts';
import { planStep } from './steps/plan.ts';
import { releaseStep } from './steps/release.ts';
import { resolveDoubtStep } from './steps/resolve-doubt.ts';
import { settleStep } from './steps/settle.ts';
import { withdrawStep } from './steps/withdraw.ts';
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

type PromiseDue = keyof typeof PROMISE_STEPS;

function isOfPromise(due: Due): due is PromiseDue {
  return due in PROMISE_STEPS;
}

const PROMISE_STEPS = {
  KEEP_WAITING: { name: 'hold', step: holdReservationStep },
  STAY_OR_WITHDRAW: { name: 'withdraw', step: withdrawStep },
  HOLD_OR_RELEASE: { name: 'release', step: releaseStep },
  DECIDE: { name: 'reserve', step: decideReservationStep },
} as const;

const STEPS = {
  PLAN: { name: 'plan', step: planStep },
  AWAIT: { name: 'await', step: awaitStep },
  WAIT: { name: 'hold', step: holdStep },
  RESOLVE: { name: 'submit', step: resolveDoubtStep },
  CANCEL: { name: 'cancel', step: cancelStep },
  SETTLE: { name: 'settle', step: settleStep },
  WATCH_DEADLINE: { name: 'watchDeadline', step: watchDeadlineStep },
  MISS_DEADLINE: { name: 'watchDeadline', step: missDeadlineStep },
} as const satisfies Record<Exclude<Due, PromiseDue>, unknown>;
