import { SLOTS_PER_DAY } from '../../predict/load/slots.ts';

/** Which slots of a log teach and which are scored, counted from its first. */
export interface LoadSplit {
  /** Slots that only teach, and of which methods that learn in bulk learn. */
  readonly trainingSlots: number;
  /** Up to and without this one, those after them are scored. */
  readonly untilSlot: number;
  /** Whether it is a year each, as in the paper. */
  readonly isOfPaper: boolean;
}

/** A year to train and a year to test; a log that is shorter than that is split in half. */
export function splitOf(slots: number): LoadSplit {
  if (slots >= 2 * YEAR_SLOTS - SPARED_SLOTS) {
    return { trainingSlots: YEAR_SLOTS, untilSlot: Math.min(slots, 2 * YEAR_SLOTS), isOfPaper: true };
  }
  return { trainingSlots: Math.floor(slots / 2), untilSlot: slots, isOfPaper: false };
}

const YEAR_SLOTS = 365 * SLOTS_PER_DAY;
/** A log that lacks a few days of two years is still told to be one of two. */
const SPARED_SLOTS = 7 * SLOTS_PER_DAY;
