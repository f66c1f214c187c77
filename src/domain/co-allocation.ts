import type { Moves } from './state-machine.ts';

/** How many legs must be running at the common start time: every one, one, or at least `k`. */
export const CO_ALLOCATION_RULES = ['ALL', 'ANY', 'AT_LEAST'] as const;
export type CoAllocationRule = (typeof CO_ALLOCATION_RULES)[number];

/** How many of `legs` the rule needs. */
export function legsNeeded(rule: CoAllocationRule, legs: number, atLeast: number | null): number {
  if (rule === 'ALL') return legs;
  return rule === 'ANY' ? 1 : (atLeast ?? legs);
}

/**
 * The life of a group of reservations: `PENDING` until enough legs hold or too few can, then `SUCCEEDED`, `FAILED`, or
 * `CANCELLED` by its caller. When it is decided the legs that are not needed are cancelled.
 */
export const CO_ALLOCATION_STATES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type CoAllocationState = (typeof CO_ALLOCATION_STATES)[number];

export const CO_ALLOCATION_MOVES: Moves<CoAllocationState> = {
  PENDING: ['SUCCEEDED', 'FAILED', 'CANCELLED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
};
