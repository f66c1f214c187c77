import type { LegalMoves } from './state-machine.ts';

/**
 * The life of a promise "running at `startAt` with probability p".
 *
 * `PROMISED` the submission time is chosen and the promise stands. `SUBMITTED` the padded job was handed to the site.
 * `HOLDING` it runs early and holds its processors until `startAt`. `KEPT` it was running at `startAt`. `MISSED` it was
 * not. `CANCELLED` by the caller, or as the loser of a co-allocation, before `startAt` decided it.
 *
 * `PROMISED` may become `MISSED` directly: the site was unreachable until `startAt`. `SUBMITTED` may become `KEPT`
 * without an observed `HOLDING`: the job started between two observations. `HOLDING` may fall back to `SUBMITTED`: the
 * site requeued it; or to `PROMISED`: it gave its processors back, because they were held too early, and is submitted
 * again.
 */
export const RESERVATION_STATES = ['PROMISED', 'SUBMITTED', 'HOLDING', 'KEPT', 'MISSED', 'CANCELLED'] as const;
export type ReservationState = (typeof RESERVATION_STATES)[number];

export const RESERVATION_MOVES: LegalMoves<ReservationState> = {
  PROMISED: ['SUBMITTED', 'MISSED', 'CANCELLED'],
  SUBMITTED: ['HOLDING', 'KEPT', 'MISSED', 'CANCELLED', 'PROMISED'],
  HOLDING: ['KEPT', 'MISSED', 'CANCELLED', 'SUBMITTED', 'PROMISED'],
  KEPT: [],
  MISSED: [],
  CANCELLED: [],
};

/**
 * What the job does when it starts early: `HOLD` its processors until `startAt`, hold only until the earlier bound of a
 * `WINDOW`, or begin at once (`BEST_EFFORT`). Section 4.6 of the VARQ report.
 */
export const RESERVATION_MODES = ['HOLD', 'WINDOW', 'BEST_EFFORT'] as const;
export type ReservationMode = (typeof RESERVATION_MODES)[number];
