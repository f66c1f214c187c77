import type { EpochSeconds } from '../../domain/clock.ts';

/** Length of the slots in which arriving load is counted, as in dinh-per-user-workload-prediction. */
export const SLOT_SECONDS = 300;
export const SLOTS_PER_HOUR = 12;
export const SLOTS_PER_DAY = 288;
export const SLOTS_PER_WEEK = 7 * SLOTS_PER_DAY;

/** The number of the slot that a moment lies in, counted from the epoch. */
export function slotOf(at: EpochSeconds): number {
  return Math.floor(at / SLOT_SECONDS);
}

/** The first slot that begins at a moment or after it. */
export function nextSlotAt(at: EpochSeconds): number {
  return Math.ceil(at / SLOT_SECONDS);
}
