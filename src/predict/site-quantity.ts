import type { EpochSeconds } from '../domain/clock.ts';
import type { SlotsForecast } from '../domain/forecast.ts';
import type { SiteEvent } from './past/tell.ts';
import type { Predictor } from './predictor.ts';
import type { PredictorSettings } from './settings.ts';

/** Asks for the slots of equal length that begin with the next one of the quantity's own. */
export interface SlotsQuery {
  /** How many, at least 1; those beyond the quantity's `longestSeconds` are left out. */
  readonly slots: number;
  /** Length of each, one of the quantity's `slotSeconds`. */
  readonly slotSeconds: number;
}

/** Predicts what comes together at a site in each of the coming slots. */
export type SlotsPredictor = Predictor<SlotsQuery, SlotsForecast>;

/**
 * Something that is forecast of a site, slot by slot, not of a job: who forecasts it, and how one learns what it came
 * out as.
 */
export interface SiteQuantity {
  /** For example `load`; its docstring tells the unit. */
  readonly name: string;
  /** The lengths of slots that can be asked for, multiples of the first, which all slots begin at. */
  readonly slotSeconds: readonly number[];
  /** How far ahead one can ask. */
  readonly longestSeconds: number;
  /** Each as a factory of one that has learned nothing, by its name. A new one is a line in its registry. */
  readonly predictors: ReadonlyMap<string, (settings?: PredictorSettings) => SlotsPredictor>;

  /** What an event adds to the slot that it happens in; null when it adds nothing. */
  amountOf(event: SiteEvent): { readonly at: EpochSeconds; readonly amount: number } | null;
}
