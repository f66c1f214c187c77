import type { SiteQuantity } from '../site-quantity.ts';
import { LOAD_PREDICTORS } from './load-predictors.ts';
import { LOAD_SLOT_SECONDS, LONGEST_LOAD_SECONDS } from './slotwise-load.ts';

/** Processors asked for by the jobs that are handed in at a site, slot by slot. */
export const LOAD: SiteQuantity = {
  name: 'load',
  slotSeconds: LOAD_SLOT_SECONDS,
  longestSeconds: LONGEST_LOAD_SECONDS,
  predictors: LOAD_PREDICTORS,
  amountOf(event) {
    return event.kind === 'submit' ? { at: event.submission.submitAt, amount: event.submission.processors } : null;
  },
};
