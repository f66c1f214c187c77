import type { Due } from '../plan/reservation/life.ts';
import { decideReservationStep } from './steps/decide-reservation.ts';
import { holdReservationStep } from './steps/hold-reservation.ts';
import { releaseStep } from './steps/release.ts';
import { withdrawStep } from './steps/withdraw.ts';

/** What is done about what is due of a promise, with its name for the metrics. */
export const PROMISE_STEPS = {
  KEEP_WAITING: { name: 'hold', step: holdReservationStep },
  STAY_OR_WITHDRAW: { name: 'withdraw', step: withdrawStep },
  HOLD_OR_RELEASE: { name: 'release', step: releaseStep },
  DECIDE: { name: 'reserve', step: decideReservationStep },
} as const;

/** What can be due of a promise alone. */
export type PromiseDue = keyof typeof PROMISE_STEPS;

/** Whether it is due of a promise. */
export function isOfPromise(due: Due): due is PromiseDue {
  return due in PROMISE_STEPS;
}
